/** How often a silent connection is asked for a sign of life, in seconds, and how many times before it counts as lost. */
const KEEPALIVE = { idle: 5, interval: 2, count: 3 } as const;
/** Data that the other side has not taken for so long ends the connection, in milliseconds. */
const USER_TIMEOUT_MS = 10_000;
/**
 * A process that stopped in the middle of a transaction keeps what it has locked for so long, in milliseconds. It never
 * holds the head of the log then (see `TypeOrmUnitOfWork.append`), but another transaction may wait for its rows.
 */
const IDLE_IN_TRANSACTION_MS = 2_000;
/** The server ends a statement first, and says so; the client gives up when nothing comes at all. */
const SILENCE_MS = 5_000;

interface PgClient {
  on(event: 'error', listener: () => void): unknown;
  emit(event: 'error', error: unknown): boolean;
  query(...values: unknown[]): unknown;
}

/** Settings of the driver for every connection of a pool. */
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
  // Also forms that are no URL, such as the folder of a Unix socket.
  if (!url.includes('options=')) return [url, ''];
  const parsed = new URL(url);
  const options = parsed.searchParams.get('options') ?? '';
  parsed.searchParams.delete('options');
  return [parsed.href, options];
};

const watch = (client: PgClient): void => {
  // A connection may break before TypeORM listens to it: without a listener of its own that would end the process.
  client.on('error', () => undefined);
  const query = client.query.bind(client);
  // After a client-side timeout the connection still runs the statement, and its next user would wait behind it.
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
