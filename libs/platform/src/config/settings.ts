import { z } from 'zod';
import { readSettings, type SettingsOf } from './define-settings.js';

const count = (fallback: number, min: number, max: number) => {
  const rule = `must be a whole number between ${min} and ${max}`;
  return z.coerce.number(rule).int(rule).min(min, rule).max(max, rule).default(fallback);
};
const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false'], 'must be true or false')
    .default(fallback ? 'true' : 'false')
    .transform((value) => value === 'true');
const isUrl = (value: string, protocols: readonly string[]): boolean =>
  URL.canParse(value) && protocols.includes(new URL(value).protocol);
const url = (...protocols: string[]) =>
  z.string().refine((value) => isUrl(value, protocols), `must be a URL with ${protocols.join(' or ')}`);
/** One or more comma-separated URLs. */
const urls = (...protocols: string[]) =>
  z
    .string()
    .refine(
      (value) => value.split(',').every((each) => isUrl(each.trim(), protocols)),
      `must be a URL with ${protocols.join(' or ')}, or several with commas between`,
    );
/** Comma-separated values. Default: none. */
const list = (item: RegExp, rule: string) =>
  z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((value) => value.trim() || []))
    .refine((values) => values.every((value) => item.test(value)), rule);

const KEY_RULE = 'must be 32 bytes in base64, as `openssl rand -base64 32` makes them';
const isSecretsKey = (text: string): boolean => /^[A-Za-z0-9+/_-]{43}=?$/.test(text);
const secretsKey = () => z.string().refine((text) => isSecretsKey(text.trim()), KEY_RULE);
const secretsKeys = () =>
  z
    .string()
    .refine((text) => text.split(',').every((key) => isSecretsKey(key.trim())), `${KEY_RULE}, with commas between`);

/**
 * Every setting of every process. Defaults, `.env.example`, the start-up line and the docs are derived from this table.
 */
export const settingsTable = {
  DATABASE_URL: {
    schema: url('postgres:', 'postgresql:'),
    about: 'Postgres: the only truth. Required.',
    secret: true,
    example: 'postgres://turnkeeper:secret@localhost:5432/turnkeeper',
  },
  MIGRATION_DATABASE_URL: {
    schema: url('postgres:', 'postgresql:').optional(),
    about:
      'Login that owns the tables, for the command line only: `migrate` creates the login of DATABASE_URL with it, which then owns nothing. Unset: the command line uses DATABASE_URL. Keep it out of the environment of ingest and worker.',
    secret: true,
    example: 'postgres://owner:secret@localhost:5432/turnkeeper',
  },
  DATABASE_POOL_SIZE: {
    schema: count(15, 6, 500),
    about:
      'Connections that one process opens to Postgres at most, for reads, writes and appends together. Not among them: those of a queue on Postgres. The default lets three of ingest, worker and `migrate` each run with max_connections = 100.',
  },
  ROW_LEVEL_SECURITY: {
    schema: z.enum(['auto', 'required', 'off']).default('required'),
    about:
      'Work as the database roles that see one tenant at a time. required: refuse to start without them; auto: go on without; off: never.',
  },
  DURABLE_COMMITS: {
    schema: z.enum(['required', 'off']).default('required'),
    about:
      'What to do when Postgres may lose what it has committed (fsync, full_page_writes or synchronous_commit is off, also as a default of the role or the database). required: refuse to start, and not ready; off: start, and say so in the log and on /readyz.',
  },
  APPEND_LANES: {
    schema: count(1, 1, 8),
    about: 'Batches of events that may be on their way at once; 2 where Postgres is milliseconds away.',
  },
  APPEND_MAX_BATCH: { schema: count(500, 1, 5_000), about: 'Most events in one batch of the group commit.' },
  NATS_URL: {
    schema: urls('nats:', 'tls:').default('nats://localhost:4222'),
    about:
      'NATS with JetStream; several servers of a cluster with commas between. A copy: it may be wiped at any moment.',
  },
  NATS_STREAM: {
    schema: z
      .string()
      .regex(/^[A-Z0-9_-]{1,64}$/, 'must be 1-64 of A-Z 0-9 _ -')
      .default('TURNKEEPER_EVENTS'),
    about: 'Name of the JetStream stream; two installations on one NATS need two names, and two prefixes.',
  },
  NATS_SUBJECT_PREFIX: {
    schema: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1-64 of A-Z a-z 0-9 _ -')
      .default('tk'),
    about: 'First token of all JetStream subjects. Streams of one NATS must not share subjects.',
  },
  STREAM_CONTENT: {
    schema: z.enum(['references', 'full']).default('references'),
    about:
      "What JetStream gets: references to events, or also each event as a CloudEvent on a second stream, '<NATS_STREAM>_CONTENT', for subscribers of your own.",
  },
  STREAM_CONTENT_HOURS: {
    schema: count(12, 1, 23),
    about:
      'Retention of the CloudEvents, in hours. Less than a day, so that no event outlives its eventExpiryDuration.',
  },
  STREAM_REPLICAS: {
    schema: count(1, 1, 5),
    about:
      'Copies of the streams in a NATS cluster: 3 survive the loss of one of three servers. Changing it changes existing streams. More than the cluster has servers: nothing is published until it has them.',
  },
  RELAY_POLL_MS: {
    schema: count(100, 5, 60_000),
    about: 'How often the relay looks for events that other ingest processes appended, in milliseconds.',
  },
  QUEUE_URL: {
    schema: url('redis:', 'rediss:', 'valkey:', 'valkeys:', 'postgres:', 'postgresql:').default(
      'redis://localhost:6379',
    ),
    about: "BullMQ's backend: Redis or Valkey, or a postgres:// URL for its Postgres backend. May be wiped.",
    secret: true,
  },
  QUEUE_PREFIX: {
    schema: z
      .string()
      .regex(/^[a-z0-9_]{1,40}$/, 'must be 1-40 of a-z 0-9 _')
      .default('turnkeeper'),
    about: 'Prefix of the queue keys (schema name on the Postgres backend).',
  },
  INGEST_HOST: {
    schema: z.string().min(1).default('127.0.0.1'),
    about: 'Address that ingest listens on: loopback only; the images and the chart set 0.0.0.0.',
  },
  INGEST_PORT: { schema: count(8080, 0, 65_535), about: 'Port of the HTTP API; 0 takes a free one.' },
  INGEST_OPERATIONS_PORT: {
    schema: z
      .string()
      .regex(/^\d{1,5}$/, 'must be a port: a whole number up to 65535')
      .transform(Number)
      .refine((port) => port <= 65_535, 'must be a port: a whole number up to 65535')
      .optional(),
    about:
      "Port of ingest's /livez, /readyz and /metrics alone, so that clients of the API cannot reach them; 0 takes a free one. Unset: they are on INGEST_PORT.",
    example: '8082',
  },
  PUBLIC_URL: {
    schema: url('http:', 'https:').default('http://localhost:8080'),
    about: 'Where clients reach ingest; links in webhooks begin with it.',
  },
  WORKER_HOST: {
    schema: z.string().min(1).default('127.0.0.1'),
    about: "Address of the worker's health and metrics: loopback only; the images and the chart set 0.0.0.0.",
  },
  WORKER_PORT: {
    schema: count(8081, 0, 65_535),
    about: "Port of the worker's health and metrics; 0 takes a free one.",
  },
  TRUSTED_PROXIES: {
    schema: list(/^[0-9a-fA-F.:]+(\/\d{1,3})?$/, 'must be addresses or ranges such as 10.0.0.0/8, separated by commas'),
    about:
      "Proxies whose X-Forwarded-For names the client's address, e.g. 10.0.0.0/8. Unset: the address of the connection counts.",
  },
  CORS_ORIGINS: {
    schema: list(
      /^(\*|https?:\/\/[A-Za-z0-9.-]+(:\d{1,5})?|https?:\/\/\[[0-9a-fA-F:]+\](:\d{1,5})?)$/,
      'must be origins such as https://console.example.com, or *, separated by commas',
    ),
    about:
      'Origins whose pages may call the API from a browser, e.g. https://console.example.com; * for every page. Unset: none.',
  },
  MCP_ALLOWED_HOSTS: {
    schema: list(/^[A-Za-z0-9.-]+$/, 'must be host names without ports, separated by commas'),
    about:
      'Host names under which /mcp is served besides those of PUBLIC_URL, localhost and IP addresses, e.g. turnkeeper.internal. Others are refused, against DNS rebinding.',
  },
  AUDIT_LOG_DAYS: {
    schema: count(365, 1, 36_500),
    about: 'How long the audit log keeps who changed and exported what.',
  },
  LOG_LEVEL: {
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
    about: 'Least level that is logged: trace, debug, info, warn, error, silent.',
  },
  MAX_BODY_BYTES: { schema: count(16_777_216, 1_024, 268_435_456), about: 'Largest request body in bytes.' },
  MAX_BODY_BYTES_IN_FLIGHT: {
    schema: count(268_435_456, 1_048_576, Number.MAX_SAFE_INTEGER),
    about:
      'Bytes of request bodies over 64 KiB that one ingest process holds at the same time; what is beyond is answered with 503.',
  },
  TENANT_MAX_BODY_BYTES_IN_FLIGHT: {
    schema: count(67_108_864, 1_048_576, Number.MAX_SAFE_INTEGER),
    about: 'The part of them that may be one tenant’s; what is beyond is answered with 429.',
  },
  HEADERS_TIMEOUT_SECONDS: {
    schema: count(10, 1, 600),
    about: 'Longest time for the headers of a request to arrive. Then its connection is closed.',
  },
  BODY_TIMEOUT_SECONDS: {
    schema: count(30, 1, 3_600),
    about: 'Longest time for the body of a request to arrive, beside an import, which streams.',
  },
  CONNECTION_IDLE_SECONDS: {
    schema: count(75, 31, 3_600),
    about: 'After this time without a byte in either direction a connection is closed.',
  },
  MAX_CONNECTIONS: {
    schema: count(10_000, 1, 1_000_000),
    about: 'Connections of one ingest process at the same time.',
  },
  TENANT_MAX_REQUESTS_IN_FLIGHT: {
    schema: count(1_000, 1, 1_000_000),
    about:
      'Requests of one tenant that one ingest process serves at the same time; what is beyond is answered with 429.',
  },
  AUTH_FAILURES_PER_MINUTE: {
    schema: count(120, 0, 1_000_000),
    about:
      'Keys and tokens that are looked up in vain for one client address per minute; then unknown ones are answered with 429 without a look-up. 0: any number.',
  },
  RATE_LIMIT_PER_SECOND: {
    schema: count(10_000, 0, 1_000_000),
    about:
      'Requests per second that a tenant may make of all ingest processes together, where it has no limit of its own; 0: any number. A batch counts once per 100 events; two seconds’ worth may come at once.',
  },
  RATE_LIMIT_BYTES_PER_SECOND: {
    schema: count(67_108_864, 0, 1_099_511_627_776),
    about: 'Bytes of request bodies per second, likewise; 0: any number.',
  },
  TENANT_MAX_MEMORIES: {
    schema: count(10_000, 1, 10_000_000),
    about: 'Memories that a tenant may have, where it has no limit of its own. Existing ones beyond that stay.',
  },
  TENANT_MAX_KEYS: {
    schema: count(1_000, 1, 1_000_000),
    about: 'Valid API keys that a tenant may have, where it has no limit of its own.',
  },
  TENANT_MAX_DUE_WORK: {
    schema: count(100_000, 1, 100_000_000),
    about:
      'Extractions, deliveries and callbacks of a tenant that may be due before requests that ask for more (generate, replay, retry) are answered with 429. What follows from events is never refused.',
  },
  RUNTIME_HEADERS: {
    schema: z.enum(['checked', 'required']).default('checked'),
    about:
      "The AgentBase runtime's user and session headers. checked: where one is sent; required: on every request for users’ data, but with a key of the scope admin.",
  },
  OIDC_ISSUER: {
    schema: url('http:', 'https:').optional(),
    about: 'OpenID Connect issuer whose tokens are taken beside API keys, as their `iss` spells it.',
    example: 'https://login.example.com',
  },
  OIDC_AUDIENCE: {
    schema: z.string().min(1).optional(),
    about: "What the tokens' `aud` must hold; needed with OIDC_ISSUER.",
    example: 'turnkeeper',
  },
  OIDC_TENANT_CLAIM: {
    schema: z.string().min(1).default('tenant_id'),
    about: 'Claim of the tokens that names the tenant by its id.',
  },
  OIDC_MAX_TOKEN_SECONDS: {
    schema: count(86_400, 60, 31_536_000),
    about:
      'Longest life of a token of the issuer, from its `iat` to its `exp`; one that lives longer, or has no `iat`, is refused.',
  },
  OIDC_SCOPE_CLAIM: {
    schema: z.string().min(1).optional(),
    about: 'Claim that says what a token may do, such as groups or roles. Unset: `scope`, or `scp`.',
    example: 'groups',
  },
  OIDC_SCOPE_MAP: {
    schema: list(
      /^[^=]+=[a-z]+(:[a-z]+)?(\+[a-z]+(:[a-z]+)?)*$/,
      'must be values of the claim with the scopes that they stand for, such as desk=memory:read+memory:write,ops=admin',
    ),
    about:
      'What the values of that claim stand for, e.g. desk=memory:read+memory:write,ops=admin. Other values mean nothing. Unset: the values are the scopes themselves.',
  },
  OIDC_CLIENT_ID: {
    schema: z.string().min(1).optional(),
    about:
      'Client id that a console signs in with (authorization code flow with PKCE); GET /v1/auth/config tells it to everyone.',
    example: 'turnkeeper-console',
  },
  OIDC_LOGIN_SCOPES: {
    schema: z.string().min(1).default('openid profile'),
    about: 'Scopes that a console asks the issuer for, with spaces between.',
  },
  CONSOLE: {
    schema: z.enum(['on', 'off']).default('on'),
    about: 'Whether ingest serves the console at /console. It uses the public API with the key or token of its user.',
  },
  SHUTDOWN_DEADLINE_SECONDS: {
    schema: count(10, 1, 600),
    about: 'How long a process may take to end after SIGTERM, the drain included.',
  },
  SHUTDOWN_DRAIN_SECONDS: {
    schema: count(5, 0, 300),
    about:
      'How long ingest still serves after SIGTERM while /readyz says 503, so that a load balancer can take it out first. At most about half of SHUTDOWN_DEADLINE_SECONDS; 0 stops listening at once.',
  },
  EXTRACTION_TURN_INTERVAL: { schema: count(5, 1, 1_000), about: 'User turns after which a session is extracted.' },
  EXTRACTION_QUIET_SECONDS: {
    schema: count(30, 1, 86_400),
    about: 'Seconds without a new event after which the rest of a session is extracted.',
  },
  EXTRACTION_WINDOW_EVENTS: { schema: count(50, 1, 500), about: 'Most events that one extraction reads.' },
  EXTRACTION_WINDOW_BYTES: {
    schema: count(32_768, 1_024, 1_048_576),
    about: 'About how many bytes of messages one extraction reads; a longer message is read by itself.',
  },
  EXTRACTION_CONTEXT_EVENTS: {
    schema: count(6, 0, 100),
    about: 'Events before the window that are shown for understanding only.',
  },
  EXTRACTION_CONCURRENCY: { schema: count(16, 1, 500), about: 'Extractions that one worker runs at the same time.' },
  EXTRACTION_THREADS: {
    schema: count(2, 1, 64),
    about:
      'Threads of one worker that apply the rules and read the answers of models. With two or more, one tenant never holds them all.',
  },
  EXTRACTION_THREAD_SECONDS: {
    schema: count(10, 1, 600),
    about: 'How long a thread may work on one window before it is ended; the window has failed then.',
  },
  EXTRACTION_THREAD_MEGABYTES: {
    schema: count(256, 64, 8_192),
    about: 'Memory that such a thread may use before it is ended; the window has failed then.',
  },
  EXTRACTION_TENANT_CONCURRENCY: {
    schema: count(12, 1, 5_000),
    about:
      'Extractions of one tenant at the same time, over all workers; fewer than the workers run, so that others find room.',
  },
  EXTRACTION_MAX_ATTEMPTS: {
    schema: count(6, 1, 100),
    about:
      'Attempts on a window before it is parked, for any reason but an outage of the model. A timeout is no outage; an attempt whose worker was killed or froze counts.',
  },
  EXTRACTION_MAX_OUTAGE_TRIES: {
    schema: count(300, 1, 10_000),
    about:
      'Tries in an outage of the model (no connection, 502, 503, 429, 401, 403) before a window is parked. They come to be 5 minutes apart, more where the endpoint asks for it: 300 are a day at least.',
  },
  EXTRACTION_LEASE_SECONDS: {
    schema: count(5, 2, 3_600),
    about:
      'How long a worker may be silent before others take over the sessions that it reads. Renewed while it works, however long the model takes.',
  },
  LLM_BASE_URL: {
    schema: url('http:', 'https:').optional(),
    about: 'OpenAI-compatible endpoint for extraction. Unset: the built-in English rules are used.',
    example: 'https://llm.example.com/v1',
  },
  LLM_MODEL: {
    schema: z.string().min(1).optional(),
    about: 'Model name sent to the endpoint.',
    example: 'gpt-4o-mini',
  },
  LLM_API_KEY: { schema: z.string().min(1).optional(), about: 'Bearer token of the endpoint.', secret: true },
  LLM_TIMEOUT_SECONDS: { schema: count(60, 1, 600), about: 'Longest wait for one answer of the model.' },
  LLM_TENANT_TOKENS_PER_DAY: {
    schema: count(0, 0, Number.MAX_SAFE_INTEGER),
    about:
      'Tokens that one tenant may use in a day (UTC), in and out; 0: any number. What is beyond waits for the next day.',
  },
  EMBEDDINGS: {
    schema: z.enum(['auto', 'local', 'off']).default('auto'),
    about:
      'Vectors for search, beside words. auto: from EMBEDDINGS_URL where it is set; local: from the small English model in the optional package (200 MB in each process, about 20 ms of CPU a turn and a question); off: none. Turns are embedded in the background, also those that are already stored.',
  },
  EMBEDDINGS_URL: {
    schema: url('http:', 'https:').optional(),
    about: 'OpenAI-compatible endpoint for embeddings. Unset: search is by words.',
    example: 'https://embeddings.example.com/v1',
  },
  EMBEDDINGS_MODEL: {
    schema: z.string().min(1).max(200).optional(),
    about:
      'Model name sent to that endpoint; needed with EMBEDDINGS_URL. After a change everything is embedded again in the background, and the vectors of the earlier model serve until then.',
    example: 'text-embedding-3-small',
  },
  EMBEDDINGS_DIMENSIONS: {
    schema: count(1_536, 8, 8_192),
    about: 'Length of that model’s vectors. A process refuses to start when the model or the stored vectors differ.',
  },
  EMBEDDINGS_API_KEY: { schema: z.string().min(1).optional(), about: 'Bearer token of that endpoint.', secret: true },
  WEBHOOK_ALLOW_PRIVATE_ADDRESSES: {
    schema: flag(false),
    about: 'Allow webhooks to loopback and private addresses. Cloud metadata stays closed. For development.',
  },
  WEBHOOK_ALLOW_CIDRS: {
    schema: list(/^[0-9a-fA-F.:]+\/\d{1,3}$/, 'must be address ranges such as 10.20.0.0/16, separated by commas'),
    about: 'Address ranges that webhooks may go to beyond the public internet, e.g. 10.20.0.0/16,fd12::/48.',
  },
  WEBHOOK_ALLOW_HTTP: {
    schema: flag(false),
    about: 'Allow webhooks to http:// addresses: what they carry can then be read on the way.',
  },
  WEBHOOK_TIMEOUT_SECONDS: { schema: count(15, 1, 60), about: 'Longest wait for one webhook answer.' },
  WEBHOOK_CONCURRENCY: {
    schema: count(64, 1, 1_000),
    about: 'Webhooks that one worker begins to send at the same time.',
  },
  WEBHOOK_OPEN_ATTEMPTS: {
    schema: count(1_000, 0, 20_000),
    about: 'Webhooks whose answers one worker waits for beside those, once they have let others wait for too long.',
  },
  WEBHOOK_ENDPOINT_CONCURRENCY: {
    schema: count(16, 1, 1_000),
    about: 'Webhooks of one endpoint at the same time, over all workers. One whose answers time out gets one.',
  },
  WEBHOOK_ENDPOINTS_PER_TENANT: {
    schema: count(20, 1, 1_000),
    about: 'Webhook endpoints that one tenant may have; a stop makes at most two deliveries for each.',
  },
  WEBHOOK_INLINE_BYTES: {
    schema: count(262_144, 1_024, 16_777_216),
    about: 'Largest history that a webhook carries whole; longer ones carry the newest part and a link to the whole.',
  },
  WEBHOOK_BODY_DAYS: {
    schema: count(30, 1, 3_650),
    about:
      'How long what was sent is kept, so that it can be replayed; where a memory keeps its events for less, so long.',
  },
  WEBHOOK_DELIVERY_DAYS: {
    schema: count(90, 1, 3_650),
    about:
      'How long deliveries whose content is no longer kept are listed with their attempts; those of histories as long as the agent.',
  },
  PARKED_MESSAGE_DAYS: {
    schema: count(30, 1, 3_650),
    about:
      'How long a parked message is kept after it was replayed or dropped, and the note of other work that was dropped.',
  },
  CONNECTOR_NOTICE_DAYS: {
    schema: count(30, 1, 3_650),
    about: "How long vendors' callbacks that could not be folded are kept, and repeats of the others are known.",
  },
  HISTORY_LINK_DAYS: { schema: count(30, 1, 365), about: 'How long a link to a whole history can be followed.' },
  TOMBSTONE_DAYS: {
    schema: count(30, 1, 3_650),
    about:
      'How long a deleted event keeps a tombstone of its own, and an erased session its entry; then neighbours are merged into ranges.',
  },
  BACKUP_DAYS: {
    schema: count(0, 0, 36_500),
    about:
      'How long you keep backups and archived WAL: receipts of erasures say until when. 0: they say nothing about it.',
  },
  HISTORY_LINK_SECRET: {
    schema: z.string().min(32, 'must have at least 32 characters').optional(),
    about:
      'Key that those links are signed with. Unset: one that was made with the database. Changing it ends them all.',
    secret: true,
  },
  SECRETS_KEY: {
    schema: secretsKey().optional(),
    about:
      'Key that stored secrets (of webhooks, connectors and vendor apps, and signing keys) are encrypted with: 32 bytes in base64, as `openssl rand -base64 32` makes them. Required, or SECRETS_KEY_FILE. Keep a copy apart from the backups: without it those secrets are lost.',
    secret: true,
  },
  SECRETS_KEY_FILE: {
    schema: z.string().min(1).optional(),
    about: 'File with that key in its first line, where SECRETS_KEY is not set; older keys may follow, one a line.',
    example: '/run/secrets/turnkeeper-key',
  },
  SECRETS_OLD_KEYS: {
    schema: secretsKeys().optional(),
    about: 'Keys of earlier times, with commas between: what they encrypted can still be read.',
    secret: true,
  },
  SECRETS_AT_REST: {
    schema: z.enum(['encrypted', 'plaintext']).default('encrypted'),
    about:
      'How secrets are stored. encrypted: refuse to start without a key; plaintext: as they are, and what is encrypted can still be read with its key.',
  },
  PURGE_INTERVAL_SECONDS: {
    schema: count(10, 1, 86_400),
    about: 'How often the worker deletes expired events and what deleted memories held, in seconds.',
  },
  SWEEP_INTERVAL_MS: {
    schema: count(1_000, 50, 60_000),
    about: 'How often the worker compares what is due in Postgres with what is queued, in milliseconds.',
  },
} as const;

export type Settings = SettingsOf<typeof settingsTable>;

export const loadSettings = (environment: Readonly<Record<string, string | undefined>> = process.env): Settings =>
  readSettings(settingsTable, environment);
