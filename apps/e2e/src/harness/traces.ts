import { natsLogin, testServers } from '@turnkeeper/testing';
import { Redis } from 'ioredis';
import { connect } from 'nats';
import type { Stack } from './stack.js';

/** Where a marker was found (a table, a stream or a queue), and how often. */
export interface Trace {
  readonly place: string;
  readonly count: number;
}

/** Searches everything the installation stores for markers: every table, the stream, the job queue. */
export const findTraces = async (stack: Stack, markers: readonly string[]): Promise<Trace[]> => [
  ...(await tracesInTables(stack, markers)),
  ...(await tracesInStream(stack, markers)),
  ...(await tracesInQueue(stack, markers)),
];

/** The same in the tables only. */
export const tracesInTables = async ({ inspector }: Stack, markers: readonly string[]): Promise<Trace[]> => {
  // Every schema: BullMQ's Postgres backend has its own.
  const tables = await inspector.rows<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  // Bytes are shown in hex.
  const patterns = markers.flatMap((marker) => [`%${marker}%`, `%${Buffer.from(marker).toString('hex')}%`]);
  const counts = await Promise.all(
    tables.map(async ({ name }) => ({
      place: name,
      count: await inspector.number(`select count(*) from ${name} t where t::text like any ($1)`, [patterns]),
    })),
  );
  return counts.filter(({ count }) => count > 0);
};

const tracesInStream = async ({ settings }: Stack, markers: readonly string[]): Promise<Trace[]> => {
  const stream = settings['NATS_STREAM'] ?? '';
  const nats = await connect(natsLogin(settings['NATS_URL'] ?? ''));
  try {
    const manager = await nats.jetstreamManager();
    const { state } = await manager.streams.info(stream);
    let count = 0;
    for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
      const message = await manager.streams.getMessage(stream, { seq }).catch(() => null);
      const text = message === null ? '' : `${message.subject} ${message.string()}`;
      if (markers.some((marker) => text.includes(marker))) count += 1;
    }
    return count === 0 ? [] : [{ place: `stream ${stream}`, count }];
  } finally {
    await nats.close();
  }
};

const tracesInQueue = async ({ settings }: Stack, markers: readonly string[]): Promise<Trace[]> => {
  if (settings['QUEUE_URL'] !== testServers.redis()) return [];
  const redis = new Redis(settings['QUEUE_URL'], { lazyConnect: true });
  try {
    await redis.connect();
    let count = 0;
    for await (const keys of redis.scanStream({ match: `${settings['QUEUE_PREFIX']}:*`, count: 500 })) {
      for (const key of keys as string[]) {
        const text = `${key} ${await contentOf(redis, key)}`;
        if (markers.some((marker) => text.includes(marker))) count += 1;
      }
    }
    return count === 0 ? [] : [{ place: 'queue', count }];
  } finally {
    redis.disconnect();
  }
};

const contentOf = async (redis: Redis, key: string): Promise<string> => {
  switch (await redis.type(key)) {
    case 'hash':
      return JSON.stringify(await redis.hgetall(key));
    case 'list':
      return JSON.stringify(await redis.lrange(key, 0, -1));
    case 'set':
      return JSON.stringify(await redis.smembers(key));
    case 'zset':
      return JSON.stringify(await redis.zrange(key, 0, -1));
    case 'stream':
      return JSON.stringify(await redis.xrange(key, '-', '+'));
    default:
      return (await redis.get(key)) ?? '';
  }
};
