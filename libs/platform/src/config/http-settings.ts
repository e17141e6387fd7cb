import { z } from 'zod';
import { count, list, ranges, url } from './setting-kinds.js';
import { tracingSettings } from './tracing-settings.js';
import { setting } from './define-settings.js';

/** Addresses, limits and sign-in of the HTTP servers, and shutdown. */
export const httpSettings = {
  INGEST_HOST: setting(
    z.string().min(1).default('127.0.0.1'),
    'Address that ingest listens on. Loopback by default; the images and the chart set 0.0.0.0.',
  ),
  INGEST_PORT: setting(count(8080, 0, 65_535), 'Port of the HTTP API; 0 chooses a free port.'),
  INGEST_OPERATIONS_PORT: setting(
    z
      .string()
      .regex(/^\d{1,5}$/, 'must be a port: a whole number up to 65535')
      .transform(Number)
      .refine((port) => port <= 65_535, 'must be a port: a whole number up to 65535')
      .optional(),
    "Separate port for ingest's /livez, /readyz, /metrics and /status, so that API clients cannot reach them; 0 chooses a free port. Unset: they are served on INGEST_PORT.",
    { example: '8082' },
  ),
  PUBLIC_URL: setting(
    url('http:', 'https:').default('http://localhost:8080'),
    'URL under which clients reach ingest; base of links in webhooks.',
  ),
  WORKER_HOST: setting(
    z.string().min(1).default('127.0.0.1'),
    "Address of the worker's health and metrics endpoints. Loopback by default; the images and the chart set 0.0.0.0.",
  ),
  WORKER_PORT: setting(
    count(8081, 0, 65_535),
    "Port of the worker's health and metrics endpoints; 0 chooses a free port.",
  ),
  TRUSTED_PROXIES: setting(
    ranges('must be addresses or ranges such as 10.0.0.0/8, separated by commas', { addresses: true }),
    "Proxies whose X-Forwarded-For is trusted for the client's address, e.g. 10.0.0.0/8. Unset: the address of the connection is used.",
  ),
  CORS_ORIGINS: setting(
    list(
      /^(\*|https?:\/\/[A-Za-z0-9.-]+(:\d{1,5})?|https?:\/\/\[[0-9a-fA-F:]+\](:\d{1,5})?)$/,
      'must be origins such as https://console.example.com, or *, separated by commas',
    ),
    'Origins whose pages may call the API from a browser, e.g. https://console.example.com; * for all. Unset: none.',
  ),
  MCP_ALLOWED_HOSTS: setting(
    list(/^[A-Za-z0-9.-]+$/, 'must be host names without ports, separated by commas'),
    'Additional host names under which /mcp is served, besides that of PUBLIC_URL, localhost and IP addresses, e.g. turnkeeper.internal. Others are rejected to prevent DNS rebinding.',
  ),
  AUDIT_LOG_DAYS: setting(count(365, 1, 36_500), 'Retention of the audit log, in days.'),
  LOG_LEVEL: setting(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
    'Minimum level that is logged: trace, debug, info, warn, error, silent.',
  ),
  ...tracingSettings,
  MAX_BODY_BYTES: setting(count(16_777_216, 1_024, 268_435_456), 'Maximum size of a request body, in bytes.'),
  MAX_BODY_BYTES_IN_FLIGHT: setting(
    count(268_435_456, 1_048_576, Number.MAX_SAFE_INTEGER),
    'Maximum bytes of request bodies over 64 KiB that one ingest process holds at a time; requests beyond that get 503.',
  ),
  TENANT_MAX_BODY_BYTES_IN_FLIGHT: setting(
    count(67_108_864, 1_048_576, Number.MAX_SAFE_INTEGER),
    'Maximum share of one tenant in MAX_BODY_BYTES_IN_FLIGHT, in bytes; requests beyond that get 429.',
  ),
  HEADERS_TIMEOUT_SECONDS: setting(
    count(10, 1, 600),
    "Time limit for receiving a request's headers. After that, the connection is closed.",
  ),
  BODY_TIMEOUT_SECONDS: setting(
    count(30, 1, 3_600),
    "Time limit for receiving a request's body, except for imports, which stream.",
  ),
  CONNECTION_IDLE_SECONDS: setting(
    count(75, 31, 3_600),
    'Connections without traffic in either direction are closed after this time.',
  ),
  MAX_CONNECTIONS: setting(count(10_000, 1, 1_000_000), 'Maximum open connections of one ingest process.'),
  TENANT_MAX_REQUESTS_IN_FLIGHT: setting(
    count(1_000, 1, 1_000_000),
    'Maximum concurrent requests of one tenant per ingest process; requests beyond that get 429.',
  ),
  TENANT_WORK_SLOTS: setting(
    count(4, 1, 10_000),
    'How much a tenant that uses more than a quarter of one CPU on reads and large writes may do at a time per ingest process while other tenants are active. A request that takes 10 ms counts as one, longer ones as more, up to all of them; the rest waits at most 2 s, then gets 429. Raise it if Postgres has many cores.',
  ),
  TENANT_MAX_EVENT_STREAMS: setting(
    count(100, 0, 1_000_000),
    'Event streams (`…/stream`) of one tenant that one ingest process keeps open at the same time; more are answered with 429.',
  ),
  AUTH_FAILURES_PER_MINUTE: setting(
    count(120, 0, 1_000_000),
    'Failed authentications per client address and minute; after that, invalid keys and tokens get 429, and all keys of the process that are not cached share one database look-up per 100 ms. Valid keys always work. 0: no limit.',
  ),
  RATE_LIMIT_PER_SECOND: setting(
    count(10_000, 0, 1_000_000),
    'Requests per second of a tenant over all ingest processes, unless the tenant has its own limit; 0: no limit. A batch counts once per 100 events; bursts of two seconds’ worth are allowed.',
  ),
  RATE_LIMIT_BYTES_PER_SECOND: setting(
    count(67_108_864, 0, 1_099_511_627_776),
    'Bytes of request bodies per second of a tenant over all ingest processes, unless the tenant has its own limit; 0: no limit.',
  ),
  TENANT_MAX_MEMORIES: setting(
    count(10_000, 1, 10_000_000),
    'Maximum memories of a tenant, unless the tenant has its own limit. Existing memories beyond the limit are kept.',
  ),
  TENANT_MAX_KEYS: setting(
    count(1_000, 1, 1_000_000),
    'Maximum valid API keys of a tenant, unless the tenant has its own limit.',
  ),
  TENANT_MAX_CONNECTORS: setting(
    count(1_000, 1, 100_000),
    'Maximum connectors and vendor apps of a tenant together, unless the tenant has its own limit.',
  ),
  TENANT_MAX_VENDOR_AGENTS: setting(
    count(10_000, 1, 1_000_000),
    "Maximum agents of a tenant that are registered through a vendor's API (ZEGOCLOUD's RegisterAgent), unless the tenant has its own limit.",
  ),
  TENANT_MAX_INSTANCE_MAPPINGS: setting(
    count(0, 0, 100_000_000),
    'Maximum mappings of agent instances of a tenant, including replaced ones, unless the tenant has its own limit; 0: no limit. Mappings do not expire, and with a limit each new one counts the others.',
  ),
  TENANT_MAX_DUE_WORK: setting(
    count(100_000, 1, 100_000_000),
    'Maximum due extractions, deliveries and callbacks of a tenant; beyond that, requests for more work (generate, replay, retry) get 429. Appends are never rejected for it.',
  ),
  RUNTIME_HEADERS: setting(
    z.enum(['checked', 'required']).default('checked'),
    "The AgentBase runtime's user and session headers. checked: enforced if one is sent; required: on every request for users’ data, except with a key that has the scope admin.",
  ),
  OIDC_ISSUER: setting(
    url('http:', 'https:').optional(),
    'OpenID Connect issuer whose tokens are accepted in addition to API keys, exactly as in their `iss` claim.',
    { example: 'https://login.example.com' },
  ),
  OIDC_AUDIENCE: setting(
    z.string().min(1).optional(),
    "Audience that the tokens' `aud` must contain; required with OIDC_ISSUER.",
    { example: 'turnkeeper' },
  ),
  OIDC_TENANT_CLAIM: setting(z.string().min(1).default('tenant_id'), "Token claim that contains the tenant's id."),
  OIDC_MAX_TOKEN_SECONDS: setting(
    count(86_400, 60, 31_536_000),
    'Maximum lifetime of a token of the issuer, from `iat` to `exp`, in seconds; tokens with a longer lifetime or without `iat` are rejected.',
  ),
  OIDC_SCOPE_CLAIM: setting(
    z.string().min(1).optional(),
    'Token claim that contains the scopes or, with OIDC_SCOPE_MAP, groups or roles. Unset: `scope`, or `scp`.',
    { example: 'groups' },
  ),
  OIDC_SCOPE_MAP: setting(
    list(
      /^[^=]+=[a-z]+(:[a-z]+)?(\+[a-z]+(:[a-z]+)?)*$/,
      'must be values of the claim with the scopes that they stand for, such as desk=memory:read+memory:write,ops=admin',
    ),
    'Maps values of OIDC_SCOPE_CLAIM to scopes, e.g. desk=memory:read+memory:write,ops=admin. Other values are ignored. Unset: the values are the scopes themselves.',
  ),
  OIDC_CLIENT_ID: setting(
    z.string().min(1).optional(),
    'Client id with which a console signs in (authorization code flow with PKCE). Public: GET /v1/auth/config returns it.',
    { example: 'turnkeeper-console' },
  ),
  OIDC_LOGIN_SCOPES: setting(
    z.string().min(1).default('openid profile'),
    'Scopes that a console requests from the issuer, separated by spaces.',
  ),
  CONSOLE: setting(
    z.enum(['on', 'off']).default('on'),
    'Whether ingest serves the console at /console. It uses the public API with the key or token of its user.',
  ),
  SHUTDOWN_DEADLINE_SECONDS: setting(
    count(10, 1, 600),
    'Time limit for a process to exit after SIGTERM, including the drain.',
  ),
  SHUTDOWN_DRAIN_SECONDS: setting(
    count(5, 0, 300),
    'How long ingest keeps serving after SIGTERM while /readyz returns 503, so that a load balancer can remove it first. At most about half of SHUTDOWN_DEADLINE_SECONDS; 0 stops listening immediately.',
  ),
} as const;
