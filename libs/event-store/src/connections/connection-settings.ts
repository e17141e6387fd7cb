import type pg from 'pg';

/** How often a silent connection is asked for a sign of life, in seconds, and how many times before it counts as lost. */
const KEEPALIVE = { idle: 5, interval: 2, count: 3 } as const;
/** Data that the other side has not taken for so long ends the connection, in milliseconds. */
const USER_TIMEOUT_MS = 10_000;
/** Nothing here holds a transaction open. Whatever does is ended after so long, in milliseconds. */
const IDLE_IN_TRANSACTION_MS = 2_000;
/** The server ends a statement first, and says so; the client gives up when nothing comes at all. */
const SILENCE_MS = 5_000;

/**
 * Settings for every connection of a pool.
 *
 * @param role part of the first message of a connection: no round trip, and no moment with other rights
 * @param statementTimeoutMs longest that one statement may take
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

/** The driver prefers the URL's own `options` to those that it is given, so they are taken out of the URL and joined. */
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
  // Also forms that are no URL, such as the folder of a Unix socket.
  if (!url.includes('options=')) return [url, ''];
  const parsed = new URL(url);
  const options = parsed.searchParams.get('options') ?? '';
  parsed.searchParams.delete('options');
  return [parsed.href, options];
};
