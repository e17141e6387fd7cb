import { natsLogin, testServers } from '@turnkeeper/testing';
import { Redis } from 'ioredis';
import { connect } from 'nats';
import { queueBackend } from './queue-server.js';
import type { Inspector } from './database.js';

/** Where an installation keeps what it stores. */
export interface Installation {
  readonly settings: Readonly<Record<string, string>>;
  readonly inspector: Inspector;
}

/** Where a marker was found (a table, a stream or a queue), and how often. */
export interface Trace {
  readonly place: string;
  readonly count: number;
}

/** Searches everything the installation stores for markers: every table, the stream, the job queue. */
export const findTraces = async (stack: Installation, markers: readonly string[]): Promise<Trace[]> => {
  const { stream, queue } = await copiesIn(stack);
  return [
    ...(await tracesInTables(stack, markers)),
    ...Object.entries({ stream, queue, content: await contentsOf(stack) }).flatMap(([place, texts]) => {
      const count = texts.filter((text) => markers.some((marker) => text.includes(marker))).length;
      return count === 0 ? [] : [{ place, count }];
    }),
  ];
};

/** The same in the tables only. */
export const tracesInTables = async ({ inspector }: Installation, markers: readonly string[]): Promise<Trace[]> => {
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

/** What the installation's stream and its job queue hold, one text per message, key or row. */
export const copiesIn = async (
  stack: Installation,
): Promise<{ readonly stream: string[]; readonly queue: string[] }> => ({
  stream: await textsInStream(stack),
  queue: [...(await textsInRedis(stack)), ...(await textsInQueueTables(stack))],
});

/** The events that the installation publishes as CloudEvents. */
export const contentsOf = (stack: Installation): Promise<string[]> =>
  textsInStream(stack, `${stack.settings['NATS_STREAM']}_CONTENT`);

/** Messages that are read at the same time. */
const READ_AHEAD = 50;
/** Newest messages; a run under faults can leave tens of thousands. */
const MAX_MESSAGES = 5_000;

const textsInStream = async ({ settings }: Installation, stream = settings['NATS_STREAM'] ?? ''): Promise<string[]> => {
  const { NATS_URL: url = '' } = settings;
  // A test's own server is gone by the end, or disconnected.
  if (url !== testServers.nats()) return [];
  const nats = await connect(natsLogin(url));
  try {
    const manager = await nats.jetstreamManager();
    const info = await manager.streams.info(stream).catch(() => null); // nothing was ever published
    const texts: string[] = [];
    if (info === null) return texts;
    const { first_seq: first, last_seq: last } = info.state;
    for (let seq = Math.max(first, last - MAX_MESSAGES); seq <= last; seq += READ_AHEAD) {
      const ahead = Array.from({ length: Math.min(READ_AHEAD, last - seq + 1) }, (_, at) => seq + at);
      const messages = await Promise.all(
        ahead.map((each) => manager.streams.getMessage(stream, { seq: each }).catch(() => null)),
      );
      for (const message of messages) if (message !== null) texts.push(`${message.subject} ${message.string()}`);
    }
    return texts;
  } finally {
    await nats.close();
  }
};

const textsInRedis = async ({ settings }: Installation): Promise<string[]> => {
  if (queueBackend() !== 'redis' || settings['QUEUE_URL'] !== testServers.redis()) return [];
  const redis = new Redis(settings['QUEUE_URL'], { lazyConnect: true });
  try {
    await redis.connect();
    const texts: string[] = [];
    for await (const keys of redis.scanStream({ match: `${settings['QUEUE_PREFIX']}:*`, count: 500 })) {
      for (const key of keys as string[]) texts.push(`${key} ${await contentOf(redis, key)}`);
    }
    return texts;
  } finally {
    redis.disconnect();
  }
};

/** BullMQ's Postgres backend uses its own schemas. */
const textsInQueueTables = async ({ inspector }: Installation): Promise<string[]> => {
  const tables = await inspector.rows<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('public', 'pg_catalog', 'information_schema')`,
  );
  const rows = await Promise.all(
    tables.map(({ name }) => inspector.rows<{ text: string }>(`select t::text as text from ${name} t`)),
  );
  return rows.flat().map(({ text }) => text);
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
