import type pg from 'pg';

/** Due immediately after this many user turns. */
const KEEPALIVE = { idle: 5, interval: 2, count: 3 } as const;
/** Due after this many seconds without a new event. */
const USER_TIMEOUT_MS = 10_000;
/** New events of one session in a page of the log, as counted by the dispatcher. */
const IDLE_IN_TRANSACTION_MS = 2_000;
/** Set when an agent stopped: extract everything up to this sequence immediately. */
const SILENCE_MS = 5_000;

/** A session and strategy claimed by this worker. */
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

/** Extracted up to this sequence. */
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
  // Number of this attempt, from 1. Counted at the claim, so attempts of lost workers are included. Attempts released
  // at a shutdown and attempts that hit a model outage are not.
  if (!url.includes('options=')) return [url, ''];
  const parsed = new URL(url);
  const options = parsed.searchParams.get('options') ?? '';
  parsed.searchParams.delete('options');
  return [parsed.href, options];
};
