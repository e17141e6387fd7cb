import { natsLogin, testServers } from '@turnkeeper/testing';
import { Redis } from 'ioredis';
import { connect } from 'nats';
import { queueBackend } from './queue-server.js';
import type { Stack } from './stack.js';

/** Puts a text into the stream and the queue, as a leak would. Resolves to a function that removes it. */
export const plantCopy = async (stack: Stack, text: string): Promise<() => Promise<void>> => {
  const {
    NATS_URL = '',
    NATS_STREAM = '',
    NATS_SUBJECT_PREFIX = '',
    QUEUE_URL = '',
    QUEUE_PREFIX = '',
  } = stack.settings;
  const nats = await connect(natsLogin(NATS_URL));
  const { seq } = await nats.jetstream().publish(`${NATS_SUBJECT_PREFIX}.planted`, new TextEncoder().encode(text));
  const manager = await nats.jetstreamManager();
  const removeMessage = async () => {
    await manager.streams.deleteMessage(NATS_STREAM, seq);
    await nats.close();
  };
  if (queueBackend() !== 'redis' || QUEUE_URL !== testServers.redis()) {
    const schema = 'planted_queue';
    await stack.inspector.rows(`create schema ${schema}`);
    await stack.inspector.rows(`create table ${schema}.jobs as select $1::text as data`, [text]);
    return async () => {
      await stack.inspector.rows(`drop schema ${schema} cascade`);
      await removeMessage();
    };
  }
  const redis = new Redis(QUEUE_URL);
  await redis.set(`${QUEUE_PREFIX}:planted`, text);
  return async () => {
    await redis.del(`${QUEUE_PREFIX}:planted`);
    redis.disconnect();
    await removeMessage();
  };
};
