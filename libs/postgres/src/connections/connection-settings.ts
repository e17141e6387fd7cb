import type pg from 'pg';

/** TCP keepalive: idle time and probe interval in seconds, and probes before the connection counts as lost. */
const KEEPALIVE = { idle: 5, interval: 2, count: 3 } as const;
/** Closes the connection if sent data is unacknowledged for this long, in milliseconds. */
const USER_TIMEOUT_MS = 10_000;
/** No code here holds a transaction open; the server ends any that does after this time, in milliseconds. */
const IDLE_IN_TRANSACTION_MS = 2_000;
/** The server's statement timeout fires first and returns an error. The client gives up if nothing arrives at all. */
const SILENCE_MS = 5_000;

/**
 * Settings for every connection of a pool.
 *
 * @param role sent in the startup message: no extra round trip, and no window with other privileges
 * @param statementTimeoutMs maximum duration of one statement
 */
export const connectionSettings = (
  url: string,
  role: string | undefined,
  statementTimeoutMs: number,
): pg.PoolConfig => ({
  ...withServerOptions(url, role),
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEPALIVE.idle * 1_000,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  statement_timeout: statementTimeoutMs,
  query_timeout: statementTimeoutMs + SILENCE_MS,
});

/** The driver lets the URL's `options` override those passed in, so extract them from the URL and merge both. */
const withServerOptions = (url: string, role: string | undefined): { connectionString: string; options: string } => {
  const [connectionString, given] = withoutOptions(url);
  const ours = [
    ...(role === undefined ? [] : [`role=${role}`]),
    `tcp_keepalives_idle=${KEEPALIVE.idle}`,
    `tcp_keepalives_interval=${KEEPALIVE.interval}`,
    `tcp_keepalives_count=${KEEPALIVE.count}`,
    `tcp_user_timeout=${USER_TIMEOUT_MS}`,
  ];
  return { connectionString, options: [given, ...ours.map((setting) => `-c ${setting}`)].join(' ').trim() };
};

const withoutOptions = (url: string): readonly [url: string, options: string] => {
  // Also accepts values that are not URLs, such as the directory of a Unix socket.
  if (!url.includes('options=')) return [url, ''];
  const parsed = new URL(url);
  const options = parsed.searchParams.get('options') ?? '';
  parsed.searchParams.delete('options');
  return [parsed.href, options];
};
