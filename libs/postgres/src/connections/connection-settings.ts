import { parseJson } from '@turnkeeper/domain';
import pg from 'pg';

/** TCP keepalive: idle time and probe interval in seconds, and probes before the connection counts as lost. */
const KEEPALIVE = { idle: 5, interval: 2, count: 3 } as const;
/** How long a statement waits for a connection, in milliseconds. */
export const CONNECTION_TIMEOUT_MS = 5_000;
/** Closes the connection if sent data is unacknowledged for this long, in milliseconds. */
const USER_TIMEOUT_MS = 10_000;
/**
 * How long a process that stopped in the middle of a transaction keeps its locks, in milliseconds. It never holds the
 * head of the log at that point (see `TypeOrmUnitOfWork.append`), but other transactions may wait for its rows.
 */
const IDLE_IN_TRANSACTION_MS = 2_000;
/** The server's statement timeout fires first and returns an error. The client gives up if nothing arrives at all. */
const SILENCE_MS = 5_000;

interface PgClient {
  on(event: 'error', listener: () => void): unknown;
  emit(event: 'error', error: unknown): boolean;
  query(...values: unknown[]): unknown;
}

/**
 * Driver settings for every connection.
 *
 * @param options.role sent in the startup message: no extra round trip, and no window with other privileges
 * @param options.statementTimeoutMs maximum duration of one statement; 0: unlimited
 */
export const connectionSettings = ({
  url,
  role,
  statementTimeoutMs,
}: {
  readonly url: string;
  readonly role: string | undefined;
  readonly statementTimeoutMs: number;
}): pg.PoolConfig => ({
  ...withServerOptions(url, role),
  types: { getTypeParser: parserOf },
  connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
  idleTimeoutMillis: 30_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEPALIVE.idle * 1_000,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  ...(statementTimeoutMs === 0
    ? {}
    : { statement_timeout: statementTimeoutMs, query_timeout: statementTimeoutMs + SILENCE_MS }),
  onConnect: (client) => watch(client as PgClient),
});

const { builtins, getTypeParser } = pg.types;

/** Of JSON columns: numbers beyond 2^53 stay exact. */
const parserOf = ((type: number, format: 'text' | 'binary' = 'text') =>
  (type === builtins.JSON || type === builtins.JSONB) && format === 'text'
    ? parseJson
    : getTypeParser(type, format)) as typeof getTypeParser;

/** The driver lets the URL's `options` override those passed in, so extract them from the URL and merge both. */
const withServerOptions = (url: string, role: string | undefined): { connectionString: string; options: string } => {
  const [connectionString, given] = withoutOptions(url);
  const ours = [
    ...(role === undefined ? [] : [`role=${role}`]),
    `tcp_keepalives_idle=${KEEPALIVE.idle}`,
    `tcp_keepalives_interval=${KEEPALIVE.interval}`,
    `tcp_keepalives_count=${KEEPALIVE.count}`,
    `tcp_user_timeout=${USER_TIMEOUT_MS}`,
    // Compiling a statement takes longer than running any of ours, and the planner chooses it by estimates that are often high.
    'jit=off',
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

const watch = (client: PgClient): void => {
  // A checked-out connection that breaks fails its query and also emits an 'error' event, possibly before the pool's user
  // adds a listener. Without one, the event would crash the process.
  client.on('error', () => undefined);
  const query = client.query.bind(client);
  // After a client-side timeout, the connection still runs the statement, and its next user would wait for it.
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
