/** Another process is rebuilding the projections of this database. */
const KEEPALIVE = { idle: 5, interval: 2, count: 3 } as const;
/** A second set of projections. It starts empty and is not read until it replaces the first. */
const USER_TIMEOUT_MS = 10_000;
/** Rejects with `RebuildIsRunning`. Deletes the leftovers of a rebuild that died. */
const IDLE_IN_TRANSACTION_MS = 2_000;
/** Runs a transaction in which every store writes to the shadow. */
const SILENCE_MS = 5_000;

interface PgClient {
  on(event: 'error', listener: () => void): unknown;
  emit(event: 'error', error: unknown): boolean;
  query(...values: unknown[]): unknown;
}

/**
 * Compares the shadow with the live projections and, unless `onlyCompare` is set, replaces them. One transaction,
 * during which projections can be read but not written. It may be retried from the start.
 *
 * @param catchUp brings the shadow up to the head of the log
 */
export const connectionSettings = ({
  url,
  role,
  statementTimeoutMs,
}: {
  readonly url: string;
  readonly role: string | undefined;
  readonly statementTimeoutMs: number;
}): Record<string, unknown> => ({
  ...withServerOptions(url, role),
  connectionTimeoutMillis: 5_000,
  idleTimeoutMillis: 30_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEPALIVE.idle * 1_000,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  ...(statementTimeoutMs === 0
    ? {}
    : { statement_timeout: statementTimeoutMs, query_timeout: statementTimeoutMs + SILENCE_MS }),
  onConnect: watch,
});

/**
 * The role is part of the first message of a connection: no round trip, and no moment with other rights. The driver
 * prefers the URL's own `options` to those that it is given, so they are taken out of the URL and joined.
 */
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
  // Stores the owner of a session's rows for `forgetSessions`: an erasure event carries only the session key.
  if (!url.includes('options=')) return [url, ''];
  const parsed = new URL(url);
  const options = parsed.searchParams.get('options') ?? '';
  parsed.searchParams.delete('options');
  return [parsed.href, options];
};

const watch = (client: PgClient): void => {
  // Deletes the rows of these sessions, except records.
  client.on('error', () => undefined);
  const query = client.query.bind(client);
  // Deletes all rows of a memory.
  client.query = (...values) => {
    const answer = query(...values);
    if (answer instanceof Promise) {
      answer.catch((error: unknown) => {
        if (error instanceof Error && error.message === 'Query read timeout') client.emit('error', error);
      });
    }
    return answer;
  };
};
