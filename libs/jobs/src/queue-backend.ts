import {
  createPostgresBackend,
  Queue,
  Worker,
  type JobsOptions,
  type Processor,
  type RedisOptions,
  type WorkerOptions,
} from 'bullmq';

/**
 * The parts of a BullMQ queue and worker that we use. BullMQ's own types differ by backend in parts that we never use.
 */
export interface BackendQueue {
  addBulk: Queue['addBulk'];
  count(): Promise<number>;
  close(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}
export interface BackendWorker {
  run(): Promise<void>;
  waitUntilReady(): Promise<void>;
  cancelAllJobs(reason: string): void;
  close(force?: boolean): Promise<void>;
  getBackend(): { close(force?: boolean): Promise<void> };
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'stalled', listener: (jobId: string) => void): unknown;
}

/** Storage of BullMQ's jobs. Both kinds are caches: due work is in our own rows. */
export interface QueueBackend {
  readonly kind: 'redis' | 'postgres';
  /** A producer. Commands fail immediately while the server is unreachable, instead of queueing in memory. */
  openQueue(name: string, defaultJobOptions: JobsOptions): BackendQueue;
  /** A worker that is not started yet. It reconnects indefinitely. */
  openWorker(name: string, processor: Processor, options: Omit<WorkerOptions, 'connection'>): BackendWorker;
}

export interface QueueBackendOptions {
  /** Redis key prefix or Postgres schema. Default: `turnkeeper_jobs`. */
  readonly namespace?: string;
}

/**
 * Chooses the backend by the URL's scheme: `redis`, `rediss` (TLS), `valkey`, `valkeys` (TLS), `postgres` or
 * `postgresql`. The Postgres schema is created and migrated on first use.
 */
export const queueBackend = (url: string, options: QueueBackendOptions = {}): QueueBackend => {
  const namespace = options.namespace ?? 'turnkeeper_jobs';
  const scheme = new URL(url).protocol.slice(0, -1);
  switch (scheme) {
    case 'redis':
    case 'rediss':
    case 'valkey':
    case 'valkeys':
      return redisBackend(new URL(url), namespace);
    case 'postgres':
    case 'postgresql':
      return postgresBackend(url, namespace);
    default:
      throw new Error(`The queue's URL must begin with redis, rediss, valkey, valkeys or postgres, not ${scheme}.`);
  }
};

const redisBackend = (url: URL, prefix: string): QueueBackend => {
  const server: RedisOptions = {
    host: url.hostname,
    port: Number(url.port || '6379'),
    ...(url.username ? { username: decodeURIComponent(url.username) } : {}),
    ...(url.password ? { password: decodeURIComponent(url.password) } : {}),
    ...(url.pathname.length > 1 ? { db: Number(url.pathname.slice(1)) } : {}),
    ...(url.protocol === 'rediss:' || url.protocol === 'valkeys:' ? { tls: {} } : {}),
    connectTimeout: 2_000,
    retryStrategy: (times: number) => Math.min(times * 100, 2_000),
  };
  return {
    kind: 'redis',
    openQueue: (name, defaultJobOptions) =>
      new Queue(name, {
        connection: { ...server, enableOfflineQueue: false, maxRetriesPerRequest: 0 },
        prefix,
        defaultJobOptions,
      }),
    openWorker: (name, processor, options) =>
      new Worker(name, processor, { ...options, prefix, connection: { ...server, maxRetriesPerRequest: null } }),
  };
};

const postgresBackend = (connectionString: string, schema: string): QueueBackend => {
  const connection = (max: number) => ({
    connectionString,
    schema,
    migrate: true,
    max,
    connectionTimeoutMillis: 2_000,
    // BullMQ runs its migration on a connection without an error listener; a connection error would terminate the
    // process.
    onConnect: (client: { on(event: 'error', listener: () => void): unknown }) => void client.on('error', ignore),
  });
  return {
    kind: 'postgres',
    openQueue: (name, defaultJobOptions) =>
      new Queue(name, { connection: connection(2), defaultJobOptions }, createPostgresBackend),
    openWorker: (name, processor, options) =>
      // BullMQ opens one more connection outside the pool to listen for notifications.
      new Worker(name, processor, { ...options, connection: connection(4) }, createPostgresBackend),
  };
};

/** The query in flight is rejected as well, and the pool replaces the connection. */
const ignore = (): void => undefined;
