import { randomUUID } from 'node:crypto';
import { eventBusLaws, noticeIn, noticeOf, testServers, type BusUnderTest } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  eventStream,
  JetStreamPublisher,
  JetStreamStrategy,
  NatsConnectionProvider,
  type EventStream,
} from './index.js';

const broker = new NatsConnectionProvider({ url: testServers.nats(), name: 'laws' });
beforeAll(() => broker.connection());
afterAll(() => broker.close());

const ownStream = (): EventStream => {
  const id = randomUUID().slice(0, 8);
  return eventStream({ stream: `LAWS_${id}`, subjectPrefix: `laws_${id}` });
};

const makeBus = async (): Promise<BusUnderTest> => {
  const stream = ownStream();
  const publisher = new JetStreamPublisher(broker, { stream });
  const strategies: JetStreamStrategy[] = [];
  const nats = await broker.connection();
  await publisher.ensureStream();
  return {
    publisher,
    subscribe: async (durable, handle) => {
      const strategy = new JetStreamStrategy({
        broker,
        stream,
        backoffMs: { first: 20, longest: 1_000 },
        // Small, so that one group member cannot take all messages.
        maxAckPending: 8,
      });
      strategies.push(strategy);
      strategy.addHandler('tk.*.*.events', async (data) => handle(noticeIn(data)), true, { durable });
      strategy.listen((error) => expect(error).toBeUndefined());
      return { close: () => strategy.close() };
    },
    stored: async () => {
      const { state } = await (await nats.jetstreamManager()).streams.info(stream.name);
      return state.messages;
    },
    close: async () => {
      await Promise.all(strategies.map((strategy) => strategy.close()));
      await (await nats.jetstreamManager()).streams.delete(stream.name);
    },
  };
};

eventBusLaws('JetStream', makeBus);

describe('JetStreamPublisher', () => {
  it('creates a missing stream with the given age and deduplication window', async () => {
    const id = randomUUID().slice(0, 8);
    const settings = { stream: `LAWS_${id}`, subjectPrefix: `laws_${id}`, maxAgeMs: 3_600_000, dedupWindowMs: 60_000 };
    await new JetStreamPublisher(broker, { stream: eventStream(settings) }).publish([noticeOf(randomUUID(), 1)]);
    const jsm = await (await broker.connection()).jetstreamManager();
    const { config } = await jsm.streams.info(settings.stream);
    expect(config).toMatchObject({ retention: 'limits', storage: 'file', max_age: 3_600e9, duplicate_window: 60e9 });
    await jsm.streams.delete(settings.stream);
  });

  it('rejects if the stream should have more replicas than there are servers', async () => {
    const { name, subjectPrefix } = ownStream();
    const publisher = new JetStreamPublisher(broker, {
      stream: eventStream({ stream: name, subjectPrefix, replicas: 3 }),
    });
    await expect(publisher.publish([noticeOf(randomUUID(), 1)])).rejects.toThrow(/replicas > 1/);
  });

  it('recreates a stream that was deleted at runtime', async () => {
    const stream = ownStream();
    const publisher = new JetStreamPublisher(broker, { stream });
    await publisher.publish([noticeOf(randomUUID(), 1)]);
    const jsm = await (await broker.connection()).jetstreamManager();
    await jsm.streams.delete(stream.name);
    await publisher.publish([noticeOf(randomUUID(), 2), noticeOf(randomUUID(), 3)]);
    expect((await jsm.streams.info(stream.name)).state.messages).toBe(2);
    await jsm.streams.delete(stream.name);
  });

  it('updates an existing stream to new settings', async () => {
    const id = randomUUID().slice(0, 8);
    const names = { stream: `LAWS_${id}`, subjectPrefix: `laws_${id}` };
    await new JetStreamPublisher(broker, { stream: eventStream(names) }).ensureStream();
    await new JetStreamPublisher(broker, { stream: eventStream({ ...names, maxAgeMs: 600_000 }) }).ensureStream();
    const jsm = await (await broker.connection()).jetstreamManager();
    expect((await jsm.streams.info(names.stream)).config.max_age).toBe(600e9);
    await jsm.streams.delete(names.stream);
  });
});

describe('JetStreamStrategy', () => {
  it('creates a missing stream before anything is published', async () => {
    const stream = ownStream();
    const strategy = new JetStreamStrategy({ broker, stream });
    strategy.addHandler('tk.*.*.events', async () => undefined, true, { durable: 'reader' });
    strategy.listen(() => undefined);
    const jsm = await (await broker.connection()).jetstreamManager();
    const consumers = () =>
      jsm.streams.info(stream.name).then(
        ({ state }) => state.consumer_count,
        () => 0,
      );
    await expect.poll(consumers).toBe(1);
    await strategy.close();
    await jsm.streams.delete(stream.name);
  });

  it('recreates a consumer that was deleted at runtime', async () => {
    const stream = ownStream();
    const publisher = new JetStreamPublisher(broker, { stream });
    const heard: number[] = [];
    const strategy = new JetStreamStrategy({ broker, stream });
    strategy.addHandler('tk.*.*.events', async (data) => void heard.push(noticeIn(data).events[0]!.position), true, {
      durable: 'reader',
    });
    strategy.listen(() => undefined);
    await publisher.publish([noticeOf(randomUUID(), 1)]);
    await expect.poll(() => heard).toEqual([1]);
    const jsm = await (await broker.connection()).jetstreamManager();
    await jsm.consumers.delete(stream.name, 'reader');
    await publisher.publish([noticeOf(randomUUID(), 2)]);
    // The new consumer starts at the beginning of the stream: duplicates are acceptable, gaps are not.
    await expect.poll(() => heard, { timeout: 10_000 }).toEqual([1, 1, 2]);
    await strategy.close();
    await jsm.streams.delete(stream.name);
  });

  it('keeps a message whose handler runs longer than the ack wait', async () => {
    const stream = ownStream();
    let calls = 0;
    let finished = 0;
    const strategy = new JetStreamStrategy({ broker, stream, ackWaitMs: 300 });
    const slow = async (): Promise<void> => {
      calls += 1;
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      finished += 1;
    };
    strategy.addHandler('tk.*.*.events', slow, true, { durable: 'reader' });
    strategy.listen(() => undefined);
    await new JetStreamPublisher(broker, { stream }).publish([noticeOf(randomUUID(), 1)]);
    await expect.poll(() => finished, { timeout: 5_000 }).toBe(1);
    const jsm = await (await broker.connection()).jetstreamManager();
    await expect.poll(async () => (await jsm.consumers.info(stream.name, 'reader')).num_ack_pending).toBe(0);
    expect(calls).toBe(1);
    await strategy.close();
    await jsm.streams.delete(stream.name);
  });

  it('handles its fetched messages before it closes, and takes no new ones', async () => {
    const stream = ownStream();
    const publisher = new JetStreamPublisher(broker, { stream });
    const memory = randomUUID();
    const done: number[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const strategy = new JetStreamStrategy({ broker, stream });
    let began = false;
    const handle = async (data: Uint8Array): Promise<void> => {
      began = true;
      await held;
      done.push(noticeIn(data).events[0]!.position);
    };
    strategy.addHandler('tk.*.*.events', handle, true, { durable: 'reader' });
    await publisher.publish([1, 2, 3].map((position) => noticeOf(memory, position)));
    strategy.listen(() => undefined);
    await expect.poll(() => began).toBe(true);
    const closing = strategy.close();
    await publisher.publish([noticeOf(memory, 4)]);
    release();
    await closing;
    expect(done).toEqual([1, 2, 3]);
    const jsm = await (await broker.connection()).jetstreamManager();
    await expect.poll(async () => (await jsm.consumers.info(stream.name, 'reader')).num_ack_pending).toBe(0);
    await jsm.streams.delete(stream.name);
  });

  it("stops at the deadline: aborts the handler's signal and leaves the rest to another process", async () => {
    const stream = ownStream();
    let aborted = false;
    const strategy = new JetStreamStrategy({
      broker,
      stream,
      closeDeadlineMs: () => 100,
      ackWaitMs: 1_000,
    });
    let began = false;
    const endless = (_data: Uint8Array, context: { delivery: { signal: AbortSignal } }): Promise<void> => {
      began = true;
      context.delivery.signal.addEventListener('abort', () => (aborted = true));
      return new Promise(() => undefined);
    };
    strategy.addHandler('tk.*.*.events', endless, true, { durable: 'reader' });
    strategy.listen(() => undefined);
    const memory = randomUUID();
    await new JetStreamPublisher(broker, { stream }).publish([noticeOf(memory, 1), noticeOf(memory, 2)]);
    await expect.poll(() => began).toBe(true);
    const before = performance.now();
    await strategy.close();
    expect(performance.now() - before).toBeLessThan(1_000);
    expect(aborted).toBe(true);
    const heard: number[] = [];
    const other = new JetStreamStrategy({ broker, stream, ackWaitMs: 1_000 });
    const take = async (data: Uint8Array): Promise<void> => void heard.push(noticeIn(data).events[0]!.position);
    other.addHandler('tk.*.*.events', take, true, { durable: 'reader' });
    other.listen(() => undefined);
    await expect.poll(() => new Set(heard), { timeout: 5_000 }).toEqual(new Set([1, 2]));
    await other.close();
    await (await (await broker.connection()).jetstreamManager()).streams.delete(stream.name);
  });
});
