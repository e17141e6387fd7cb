import { createTestDatabase, ownRedisServer, testServers } from '@turnkeeper/testing';
import { Redis } from 'ioredis';
import pg from 'pg';

/** A test's own job queue, which it can disconnect, restore and wipe. */
export interface QueueServer {
  readonly url: string;
  /** Closes every connection and rejects new ones. */
  down(): Promise<void>;
  up(): Promise<void>;
  /** Stops answering while connections stay open. Redis is stopped with SIGSTOP; Postgres cannot be frozen alone. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Deletes every job; connections stay open. */
  wipe(): Promise<void>;
  dispose(): Promise<void>;
}

/** The BullMQ backend of this run: `TK_E2E_QUEUE`, `redis` (default), `postgres`, or `none`. */
export const queueBackend = (): 'redis' | 'postgres' | 'none' => {
  const name = process.env['TK_E2E_QUEUE'] || 'redis';
  if (name !== 'redis' && name !== 'postgres' && name !== 'none') {
    throw new Error('TK_E2E_QUEUE must be redis, postgres or none.');
  }
  return name;
};

export const ownQueueServer = (): Promise<QueueServer> =>
  queueBackend() === 'redis' ? ownRedisQueue() : ownPostgresQueue();

const ownRedisQueue = async (): Promise<QueueServer> => {
  const server = await ownRedisServer();
  await server.start();
  return {
    url: server.url,
    down: () => server.kill(),
    up: () => server.start(),
    freeze: async () => server.freeze(),
    thaw: async () => server.thaw(),
    wipe: () => forgetRedisKeys(server.url, '*'),
    dispose: () => server.dispose(),
  };
};

const ownPostgresQueue = async (): Promise<QueueServer> => {
  const database = await createTestDatabase();
  const name = new URL(database.url).pathname.slice(1);
  const terminate = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`;
  const asAdmin = (...statements: string[]) => runStatements(testServers.database(), statements);
  const down = () => asAdmin(`alter database ${name} with allow_connections false`, terminate);
  const up = () => asAdmin(`alter database ${name} with allow_connections true`);
  return {
    url: database.url,
    down,
    up,
    freeze: down,
    thaw: up,
    wipe: () => insist(() => runStatements(database.url, [FORGET_JOBS])),
    dispose: async () => {
      await asAdmin(`alter database ${name} with allow_connections true`, terminate);
      await database.drop();
    },
  };
};

/** Drops the tables too, as on a new server. */
const FORGET_JOBS = `do $$ declare name text; begin
  for name in select nspname from pg_namespace where nspname !~ '^pg_' and nspname not in ('public', 'information_schema') loop
    execute format('drop schema %I cascade', name);
  end loop;
end $$`;

/** Under load, jobs and the wipe can deadlock; Postgres then aborts one of them. */
const insist = async (wipe: () => Promise<void>): Promise<void> => {
  const DEADLOCK = '40P01';
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await wipe();
    } catch (error) {
      if ((error as { code?: string }).code !== DEADLOCK || attempt === 20) throw error;
    }
  }
};

const runStatements = async (url: string, statements: readonly string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
};

/** Deletes keys by pattern; `*` empties the server. */
export const forgetRedisKeys = async (url: string, pattern: string): Promise<void> => {
  const redis = new Redis(url, { lazyConnect: true });
  try {
    await redis.connect();
    if (pattern === '*') {
      await redis.flushall();
      return;
    }
    for await (const keys of redis.scanStream({ match: pattern, count: 1_000 })) {
      if (keys.length > 0) await redis.unlink(...(keys as string[]));
    }
  } finally {
    redis.disconnect();
  }
};
