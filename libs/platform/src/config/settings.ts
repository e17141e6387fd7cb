import { z } from 'zod';
import { readSettings, type SettingsOf } from './define-settings.js';
import { tracingSettings } from './tracing-settings.js';

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
    about: 'Postgres, the source of truth. Required.',
    secret: true,
    example: 'postgres://turnkeeper:secret@localhost:5432/turnkeeper',
  },
  MIGRATION_DATABASE_URL: {
    schema: url('postgres:', 'postgresql:').optional(),
    about:
      'Login that owns the tables, for the command line only. `migrate` uses it to create the login of DATABASE_URL, which owns nothing. Unset: the command line uses DATABASE_URL. Do not set it for ingest and worker.',
    secret: true,
    example: 'postgres://owner:secret@localhost:5432/turnkeeper',
  },
  DATABASE_POOL_SIZE: {
    schema: count(15, 6, 500),
    about:
      'Maximum connections of one process to Postgres, for reads, writes and appends together, not counting a queue on Postgres. With the default, three of ingest, worker and `migrate` each fit into max_connections = 100.',
  },
  ROW_LEVEL_SECURITY: {
    schema: z.enum(['auto', 'required', 'off']).default('required'),
    about:
      'Use the database roles that can access one tenant at a time. required: refuse to start without them; auto: start without them; off: never use them.',
  },
  DURABLE_COMMITS: {
    schema: z.enum(['required', 'off']).default('required'),
    about:
      'What to do if Postgres can lose committed transactions (fsync, full_page_writes or synchronous_commit is off, including as a default of the role or the database). required: refuse to start, and report not ready; off: start, and report it in the log and on /readyz.',
  },
  APPEND_LANES: {
    schema: count(1, 1, 8),
    about: 'Batches of events sent to Postgres concurrently; use 2 if the round trip to Postgres takes milliseconds.',
  },
  APPEND_MAX_BATCH: { schema: count(500, 1, 5_000), about: 'Maximum events in one group commit.' },
  NATS_URL: {
    schema: urls('nats:', 'tls:').default('nats://localhost:4222'),
    about: 'NATS with JetStream; comma-separated servers of a cluster. Holds copies only and can be wiped at any time.',
  },
  NATS_STREAM: {
    schema: z
      .string()
      .regex(/^[A-Z0-9_-]{1,64}$/, 'must be 1-64 of A-Z 0-9 _ -')
      .default('TURNKEEPER_EVENTS'),
    about: 'Name of the JetStream stream. Installations that share a NATS need different names and prefixes.',
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
      "What is published to JetStream. references: ids of events; full: also each event as a CloudEvent on a second stream, '<NATS_STREAM>_CONTENT', for external subscribers.",
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
    about:
      "BullMQ's backend: Redis or Valkey, or a postgres:// URL for its Postgres backend. Can be wiped at any time.",
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
    about: 'Address that ingest listens on. Loopback by default; the images and the chart set 0.0.0.0.',
  },
  INGEST_PORT: { schema: count(8080, 0, 65_535), about: 'Port of the HTTP API; 0 chooses a free port.' },
  INGEST_OPERATIONS_PORT: {
    schema: z
      .string()
      .regex(/^\d{1,5}$/, 'must be a port: a whole number up to 65535')
      .transform(Number)
      .refine((port) => port <= 65_535, 'must be a port: a whole number up to 65535')
      .optional(),
    about:
      "Separate port for ingest's /livez, /readyz, /metrics and /status, so that API clients cannot reach them; 0 chooses a free port. Unset: they are served on INGEST_PORT.",
    example: '8082',
  },
  PUBLIC_URL: {
    schema: url('http:', 'https:').default('http://localhost:8080'),
    about: 'URL under which clients reach ingest; base of links in webhooks.',
  },
  WORKER_HOST: {
    schema: z.string().min(1).default('127.0.0.1'),
    about:
      "Address of the worker's health and metrics endpoints. Loopback by default; the images and the chart set 0.0.0.0.",
  },
  WORKER_PORT: {
    schema: count(8081, 0, 65_535),
    about: "Port of the worker's health and metrics endpoints; 0 chooses a free port.",
  },
  TRUSTED_PROXIES: {
    schema: list(/^[0-9a-fA-F.:]+(\/\d{1,3})?$/, 'must be addresses or ranges such as 10.0.0.0/8, separated by commas'),
    about:
      "Proxies whose X-Forwarded-For is trusted for the client's address, e.g. 10.0.0.0/8. Unset: the address of the connection is used.",
  },
  CORS_ORIGINS: {
    schema: list(
      /^(\*|https?:\/\/[A-Za-z0-9.-]+(:\d{1,5})?|https?:\/\/\[[0-9a-fA-F:]+\](:\d{1,5})?)$/,
      'must be origins such as https://console.example.com, or *, separated by commas',
    ),
    about:
      'Origins whose pages may call the API from a browser, e.g. https://console.example.com; * for all. Unset: none.',
  },
  MCP_ALLOWED_HOSTS: {
    schema: list(/^[A-Za-z0-9.-]+$/, 'must be host names without ports, separated by commas'),
    about:
      'Additional host names under which /mcp is served, besides that of PUBLIC_URL, localhost and IP addresses, e.g. turnkeeper.internal. Others are rejected to prevent DNS rebinding.',
  },
  AUDIT_LOG_DAYS: {
    schema: count(365, 1, 36_500),
    about: 'Retention of the audit log, in days.',
  },
  LOG_LEVEL: {
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
    about: 'Minimum level that is logged: trace, debug, info, warn, error, silent.',
  },
  ...tracingSettings,
  MAX_BODY_BYTES: { schema: count(16_777_216, 1_024, 268_435_456), about: 'Maximum size of a request body, in bytes.' },
  MAX_BODY_BYTES_IN_FLIGHT: {
    schema: count(268_435_456, 1_048_576, Number.MAX_SAFE_INTEGER),
    about:
      'Maximum bytes of request bodies over 64 KiB that one ingest process holds at a time; requests beyond that get 503.',
  },
  TENANT_MAX_BODY_BYTES_IN_FLIGHT: {
    schema: count(67_108_864, 1_048_576, Number.MAX_SAFE_INTEGER),
    about: 'Maximum share of one tenant in MAX_BODY_BYTES_IN_FLIGHT, in bytes; requests beyond that get 429.',
  },
  HEADERS_TIMEOUT_SECONDS: {
    schema: count(10, 1, 600),
    about: "Time limit for receiving a request's headers. After that, the connection is closed.",
  },
  BODY_TIMEOUT_SECONDS: {
    schema: count(30, 1, 3_600),
    about: "Time limit for receiving a request's body, except for imports, which stream.",
  },
  CONNECTION_IDLE_SECONDS: {
    schema: count(75, 31, 3_600),
    about: 'Connections without traffic in either direction are closed after this time.',
  },
  MAX_CONNECTIONS: {
    schema: count(10_000, 1, 1_000_000),
    about: 'Maximum open connections of one ingest process.',
  },
  TENANT_MAX_REQUESTS_IN_FLIGHT: {
    schema: count(1_000, 1, 1_000_000),
    about: 'Maximum concurrent requests of one tenant per ingest process; requests beyond that get 429.',
  },
  TENANT_MAX_EVENT_STREAMS: {
    schema: count(100, 0, 1_000_000),
    about:
      'Event streams (`…/stream`) of one tenant that one ingest process keeps open at the same time; more are answered with 429.',
  },
  AUTH_FAILURES_PER_MINUTE: {
    schema: count(120, 0, 1_000_000),
    about:
      'Failed authentications per client address and minute; after that, unknown keys and tokens get 429 without a lookup. 0: no limit.',
  },
  RATE_LIMIT_PER_SECOND: {
    schema: count(10_000, 0, 1_000_000),
    about:
      'Requests per second of a tenant over all ingest processes, unless the tenant has its own limit; 0: no limit. A batch counts once per 100 events; bursts of two seconds’ worth are allowed.',
  },
  RATE_LIMIT_BYTES_PER_SECOND: {
    schema: count(67_108_864, 0, 1_099_511_627_776),
    about:
      'Bytes of request bodies per second of a tenant over all ingest processes, unless the tenant has its own limit; 0: no limit.',
  },
  TENANT_MAX_MEMORIES: {
    schema: count(10_000, 1, 10_000_000),
    about:
      'Maximum memories of a tenant, unless the tenant has its own limit. Existing memories beyond the limit are kept.',
  },
  TENANT_MAX_KEYS: {
    schema: count(1_000, 1, 1_000_000),
    about: 'Maximum valid API keys of a tenant, unless the tenant has its own limit.',
  },
  TENANT_MAX_DUE_WORK: {
    schema: count(100_000, 1, 100_000_000),
    about:
      'Maximum due extractions, deliveries and callbacks of a tenant; beyond that, requests for more work (generate, replay, retry) get 429. Appends are never rejected for it.',
  },
  RUNTIME_HEADERS: {
    schema: z.enum(['checked', 'required']).default('checked'),
    about:
      "The AgentBase runtime's user and session headers. checked: enforced if one is sent; required: on every request for users’ data, except with a key that has the scope admin.",
  },
  OIDC_ISSUER: {
    schema: url('http:', 'https:').optional(),
    about: 'OpenID Connect issuer whose tokens are accepted in addition to API keys, exactly as in their `iss` claim.',
    example: 'https://login.example.com',
  },
  OIDC_AUDIENCE: {
    schema: z.string().min(1).optional(),
    about: "Audience that the tokens' `aud` must contain; required with OIDC_ISSUER.",
    example: 'turnkeeper',
  },
  OIDC_TENANT_CLAIM: {
    schema: z.string().min(1).default('tenant_id'),
    about: "Token claim that contains the tenant's id.",
  },
  OIDC_MAX_TOKEN_SECONDS: {
    schema: count(86_400, 60, 31_536_000),
    about:
      'Maximum lifetime of a token of the issuer, from `iat` to `exp`, in seconds; tokens with a longer lifetime or without `iat` are rejected.',
  },
  OIDC_SCOPE_CLAIM: {
    schema: z.string().min(1).optional(),
    about: 'Token claim that contains the scopes or, with OIDC_SCOPE_MAP, groups or roles. Unset: `scope`, or `scp`.',
    example: 'groups',
  },
  OIDC_SCOPE_MAP: {
    schema: list(
      /^[^=]+=[a-z]+(:[a-z]+)?(\+[a-z]+(:[a-z]+)?)*$/,
      'must be values of the claim with the scopes that they stand for, such as desk=memory:read+memory:write,ops=admin',
    ),
    about:
      'Maps values of OIDC_SCOPE_CLAIM to scopes, e.g. desk=memory:read+memory:write,ops=admin. Other values are ignored. Unset: the values are the scopes themselves.',
  },
  OIDC_CLIENT_ID: {
    schema: z.string().min(1).optional(),
    about:
      'Client id with which a console signs in (authorization code flow with PKCE). Public: GET /v1/auth/config returns it.',
    example: 'turnkeeper-console',
  },
  OIDC_LOGIN_SCOPES: {
    schema: z.string().min(1).default('openid profile'),
    about: 'Scopes that a console requests from the issuer, separated by spaces.',
  },
  CONSOLE: {
    schema: z.enum(['on', 'off']).default('on'),
    about: 'Whether ingest serves the console at /console. It uses the public API with the key or token of its user.',
  },
  SHUTDOWN_DEADLINE_SECONDS: {
    schema: count(10, 1, 600),
    about: 'Time limit for a process to exit after SIGTERM, including the drain.',
  },
  SHUTDOWN_DRAIN_SECONDS: {
    schema: count(5, 0, 300),
    about:
      'How long ingest keeps serving after SIGTERM while /readyz returns 503, so that a load balancer can remove it first. At most about half of SHUTDOWN_DEADLINE_SECONDS; 0 stops listening immediately.',
  },
  EXTRACTION_TURN_INTERVAL: { schema: count(5, 1, 1_000), about: 'User turns after which a session is extracted.' },
  EXTRACTION_QUIET_SECONDS: {
    schema: count(30, 1, 86_400),
    about: "Seconds without a new event after which a session's remaining events are extracted.",
  },
  EXTRACTION_WINDOW_EVENTS: { schema: count(50, 1, 500), about: 'Maximum events per extraction.' },
  EXTRACTION_WINDOW_BYTES: {
    schema: count(32_768, 1_024, 1_048_576),
    about: 'Approximate maximum bytes of messages per extraction; a longer message is extracted separately.',
  },
  EXTRACTION_CONTEXT_EVENTS: {
    schema: count(6, 0, 100),
    about: 'Events before the window that are included as context only.',
  },
  EXTRACTION_CONCURRENCY: { schema: count(16, 1, 500), about: 'Maximum concurrent extractions of one worker.' },
  EXTRACTION_THREADS: {
    schema: count(2, 1, 64),
    about:
      'Threads of one worker that apply the rules and parse model answers. With two or more, one tenant can never occupy all of them.',
  },
  EXTRACTION_THREAD_SECONDS: {
    schema: count(10, 1, 600),
    about:
      'Time limit of a thread for one window; after that, the thread is terminated and the window counts as failed.',
  },
  EXTRACTION_THREAD_MEGABYTES: {
    schema: count(256, 64, 8_192),
    about: 'Memory limit of such a thread; beyond it, the thread is terminated and the window counts as failed.',
  },
  EXTRACTION_TENANT_CONCURRENCY: {
    schema: count(12, 1, 5_000),
    about:
      'Maximum concurrent extractions of one tenant over all workers. Keep it below the total of the workers, so that other tenants are served.',
  },
  EXTRACTION_MAX_ATTEMPTS: {
    schema: count(6, 1, 100),
    about:
      'Attempts on a window before it is parked, not counting model outages. A timeout is not an outage; an attempt whose worker was killed or froze counts.',
  },
  EXTRACTION_MAX_OUTAGE_TRIES: {
    schema: count(300, 1, 10_000),
    about:
      'Attempts during a model outage (no connection, 502, 503, 429, 401, 403) before a window is parked. The interval grows to 5 minutes, or more if the endpoint asks for it: 300 attempts last at least a day.',
  },
  EXTRACTION_LEASE_SECONDS: {
    schema: count(5, 2, 3_600),
    about:
      'How long a worker may be unresponsive before others take over its sessions. The lease is renewed while the worker runs, however long the model takes.',
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
  LLM_TIMEOUT_SECONDS: { schema: count(60, 1, 600), about: 'Time limit for one model call.' },
  LLM_TENANT_TOKENS_PER_DAY: {
    schema: count(0, 0, Number.MAX_SAFE_INTEGER),
    about:
      'Input and output tokens that one tenant may use per day (UTC); 0: no limit. Extraction beyond that waits for the next day.',
  },
  EMBEDDINGS: {
    schema: z.enum(['auto', 'local', 'off']).default('auto'),
    about:
      'Vectors for search, in addition to words. auto: from EMBEDDINGS_URL if set; local: from the small English model in the optional package (200 MB per process, about 20 ms of CPU per turn and per question); off: none. Turns are embedded in the background, including those already stored.',
  },
  EMBEDDINGS_URL: {
    schema: url('http:', 'https:').optional(),
    about: 'OpenAI-compatible endpoint for embeddings. Unset: search is by words.',
    example: 'https://embeddings.example.com/v1',
  },
  EMBEDDINGS_MODEL: {
    schema: z.string().min(1).max(200).optional(),
    about:
      'Model name sent to that endpoint; required with EMBEDDINGS_URL. After a change, everything is embedded again in the background; the vectors of the previous model are used until then.',
    example: 'text-embedding-3-small',
  },
  EMBEDDINGS_DIMENSIONS: {
    schema: count(1_536, 8, 8_192),
    about: 'Dimensions of that model’s vectors. A process refuses to start if the model or the stored vectors differ.',
  },
  EMBEDDINGS_API_KEY: { schema: z.string().min(1).optional(), about: 'Bearer token of that endpoint.', secret: true },
  WEBHOOK_ALLOW_PRIVATE_ADDRESSES: {
    schema: flag(false),
    about:
      'Allow webhooks to loopback and private addresses. Cloud metadata addresses remain blocked. For development.',
  },
  WEBHOOK_ALLOW_CIDRS: {
    schema: list(/^[0-9a-fA-F.:]+\/\d{1,3}$/, 'must be address ranges such as 10.20.0.0/16, separated by commas'),
    about: 'Address ranges that webhooks may go to beyond the public internet, e.g. 10.20.0.0/16,fd12::/48.',
  },
  WEBHOOK_ALLOW_HTTP: {
    schema: flag(false),
    about: 'Allow webhooks to http:// addresses, whose content can be read in transit.',
  },
  WEBHOOK_TIMEOUT_SECONDS: { schema: count(15, 1, 60), about: 'Time limit for the response to one webhook.' },
  WEBHOOK_CONCURRENCY: {
    schema: count(64, 1, 1_000),
    about: 'Maximum webhook deliveries that one worker starts concurrently.',
  },
  WEBHOOK_OPEN_ATTEMPTS: {
    schema: count(1_000, 0, 20_000),
    about:
      'Maximum slow webhook attempts that one worker keeps open in the background after they have freed their slot.',
  },
  WEBHOOK_ENDPOINT_CONCURRENCY: {
    schema: count(16, 1, 1_000),
    about:
      'Maximum concurrent webhooks of one endpoint over all workers; one for an endpoint whose last attempt timed out.',
  },
  WEBHOOK_ENDPOINTS_PER_TENANT: {
    schema: count(20, 1, 1_000),
    about: 'Maximum webhook endpoints of one tenant; stopping an agent creates at most two deliveries per endpoint.',
  },
  WEBHOOK_INLINE_BYTES: {
    schema: count(262_144, 1_024, 16_777_216),
    about:
      'Maximum size of a history that a webhook contains in full, in bytes; longer ones contain the newest part and a link to the full history.',
  },
  WEBHOOK_BODY_DAYS: {
    schema: count(30, 1, 3_650),
    about:
      'How long webhook bodies are kept for replay, or for as long as the memory keeps its events if that is less.',
  },
  WEBHOOK_DELIVERY_DAYS: {
    schema: count(90, 1, 3_650),
    about:
      'How long deliveries are listed with their attempts after their body was deleted; deliveries of histories are listed for as long as the agent.',
  },
  PARKED_MESSAGE_DAYS: {
    schema: count(30, 1, 3_650),
    about: 'How long a parked message is kept after it was replayed or dropped, and how long dropped work is listed.',
  },
  CONNECTOR_NOTICE_DAYS: {
    schema: count(30, 1, 3_650),
    about:
      "How long vendors' callbacks that could not be processed are kept, and how long repeats of the others are recognised.",
  },
  HISTORY_LINK_DAYS: { schema: count(30, 1, 365), about: 'How long a link to a full history is valid.' },
  TOMBSTONE_DAYS: {
    schema: count(30, 1, 3_650),
    about:
      'How long a deleted event has its own tombstone and an erased session its entry; after that, adjacent tombstones are merged into ranges.',
  },
  BACKUP_DAYS: {
    schema: count(0, 0, 36_500),
    about:
      'How long you keep backups and archived WAL, in days. Erasure receipts state the date derived from it; 0: they do not mention backups.',
  },
  HISTORY_LINK_SECRET: {
    schema: z.string().min(32, 'must have at least 32 characters').optional(),
    about:
      'Key that signs links to histories. Unset: a key created with the database. Changing it invalidates all links.',
    secret: true,
  },
  SECRETS_KEY: {
    schema: secretsKey().optional(),
    about:
      'Key that encrypts stored secrets (of webhooks, connectors and vendor apps, and signing keys): 32 bytes in base64, e.g. from `openssl rand -base64 32`. Required, unless SECRETS_KEY_FILE is set. Back it up separately from the database: without it those secrets are lost.',
    secret: true,
  },
  SECRETS_KEY_FILE: {
    schema: z.string().min(1).optional(),
    about: 'File with that key in its first line, if SECRETS_KEY is not set; older keys may follow, one per line.',
    example: '/run/secrets/turnkeeper-key',
  },
  SECRETS_OLD_KEYS: {
    schema: secretsKeys().optional(),
    about: 'Earlier keys, separated by commas, for decryption only.',
    secret: true,
  },
  SECRETS_AT_REST: {
    schema: z.enum(['encrypted', 'plaintext']).default('encrypted'),
    about:
      'How secrets are stored. encrypted: refuse to start without a key; plaintext: unencrypted; values that are already encrypted can still be read with their key.',
  },
  PURGE_INTERVAL_SECONDS: {
    schema: count(10, 1, 86_400),
    about: 'How often the worker deletes expired events and the data of deleted memories, in seconds.',
  },
  SWEEP_INTERVAL_MS: {
    schema: count(1_000, 50, 60_000),
    about: 'How often the worker enqueues work that is due in Postgres, in milliseconds.',
  },
} as const;

export type Settings = SettingsOf<typeof settingsTable>;

export const loadSettings = (environment: Readonly<Record<string, string | undefined>> = process.env): Settings =>
  readSettings(settingsTable, environment);
