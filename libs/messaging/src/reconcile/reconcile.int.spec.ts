import { randomUUID } from 'node:crypto';
import {
  eventually,
  InMemoryReferenceLog,
  InMemoryRelayCursor,
  natsLogin,
  noticeIn,
  testServers,
} from '@turnkeeper/testing';
import { AckPolicy, connect, type JetStreamManager, type NatsConnection } from 'nats';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  eventStream,
  JetStreamPublisher,
  JetStreamReconciler,
  NatsConnectionProvider,
  Relay,
  StreamWatch,
} from '../index.js';
import { messageIdOf } from '../message-id.js';

/** Deduplication window in this test; a deleted message is rejected as a duplicate until it ends. */
const DEDUP_MS = 2_000;
const OPTIONS = { pageSize: 10, pollIntervalMs: 10, gatherMs: 0, cursorIntervalMs: 50 };

describe('reconciling a stream', () => {
  const id = `t_${randomUUID().slice(0, 8)}`;
  const stream = eventStream({ stream: id.toUpperCase(), subjectPrefix: id, dedupWindowMs: DEDUP_MS });
  let [log, cursor] = [new InMemoryReferenceLog(), new InMemoryRelayCursor()];
  let broker: NatsConnectionProvider;
  let relay: Relay;
  let reconciler: JetStreamReconciler;
  let watch: StreamWatch;
  let nats: NatsConnection;
  let jsm: JetStreamManager;
  const memories = Array.from({ length: 3 }, () => randomUUID());
  let appending: NodeJS.Timeout | undefined;

  beforeEach(async () => {
    [log, cursor] = [new InMemoryReferenceLog(), new InMemoryRelayCursor()];
    broker = new NatsConnectionProvider({ url: testServers.nats(), name: id });
    const publisher = new JetStreamPublisher(broker, { stream });
    relay = new Relay({ log, cursor, publisher }, OPTIONS);
    reconciler = new JetStreamReconciler({ log, published: cursor, publisher, broker, stream });
    watch = new StreamWatch(
      reconciler,
      () => relay.isLeading,
      () => Date.now(),
      () => undefined,
      { intervalMs: 200 },
    );
    nats = await connect(natsLogin(testServers.nats()));
    jsm = await nats.jetstreamManager();
    relay.start();
  });
  afterEach(async () => {
    clearInterval(appending);
    await watch.stop();
    await relay.stop();
    await jsm.streams.delete(stream.name).catch(() => undefined);
    await broker.close();
    await nats.close();
  });

  const appendEverySoOften = (): void => {
    appending = setInterval(() => log.append(memories[log.head % 3]!), 2);
  };
  const append = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) log.append(memories[log.head % 3]!);
    await eventually(() => cursor.stored === log.head, { what: 'all is published' });
  };
  /** Message ids, positions and event ids as read by an external subscriber. */
  const content = async (): Promise<{ ids: string[]; positions: number[]; eventIds: string[] }> => {
    const { messages, last_seq } = (await jsm.streams.info(stream.name)).state;
    const found = { ids: [] as string[], positions: [] as number[], eventIds: [] as string[] };
    if (messages === 0) return found;
    const { name } = await jsm.consumers.add(stream.name, { ack_policy: AckPolicy.None });
    const consumer = await nats.jetstream().consumers.get(stream.name, name);
    for await (const message of await consumer.fetch({ max_messages: messages, expires: 2_000 })) {
      const notice = noticeIn(message.data);
      found.ids.push(messageIdOf(notice));
      expect(message.headers?.get('Nats-Msg-Id')).toBe(messageIdOf(notice));
      found.positions.push(...notice.events.map(({ position }) => position));
      found.eventIds.push(...notice.events.map(({ eventId }) => eventId));
      if (message.seq >= last_seq) break;
    }
    await jsm.consumers.delete(stream.name, name).catch(() => undefined);
    return {
      ids: found.ids.sort(),
      positions: found.positions.sort((a, b) => a - b),
      eventIds: found.eventIds.sort(),
    };
  };
  const all = (): number[] => log.references.map(({ position }) => position);

  it('changes nothing if no message is missing', async () => {
    await append(95);
    expect(await reconciler.reconcile()).toEqual({
      from: 1,
      through: 95,
      events: 95,
      missing: 0,
      republished: 0,
      refused: 0,
    });
    expect(await reconciler.check(Date.now())).toBeNull();
  });

  it.each([
    ['deleted', async () => void (await jsm.streams.delete(stream.name))],
    ['purged', async () => void (await jsm.streams.purge(stream.name))],
    ['purged in part', async () => void (await jsm.streams.purge(stream.name, { seq: 12 }))],
  ])('restores a stream that was %s, on demand and under the same ids', async (_, lose) => {
    await append(95);
    const before = await content();
    await lose();
    await eventually(async () => (await reconciler.reconcile()).missing === 0, { withinMs: 20_000, everyMs: 200 });
    expect(await content()).toEqual(before);
  });

  /** Stops the relay, replaces the last six events of the log by others, and sets the cursor. */
  const failOver = async (stored: number) => {
    await relay.stop();
    const failedOver = new InMemoryReferenceLog();
    failedOver.references.push(...log.references.slice(0, log.head - 6));
    [log, cursor] = [failedOver, new InMemoryRelayCursor()];
    cursor.stored = stored;
    for (let index = 0; index < 6; index += 1) log.append(memories[log.head % 3]!);
    const publisher = new JetStreamPublisher(broker, { stream });
    relay = new Relay({ log, cursor, publisher }, OPTIONS);
    reconciler = new JetStreamReconciler({ log, published: cursor, publisher, broker, stream });
  };
  const notInStream = async () => {
    const { eventIds } = await content();
    return log.references.filter(({ eventId }) => !eventIds.includes(eventId)).length;
  };

  it('gets the events that a failover put at the positions of lost ones', async () => {
    await append(95);
    await failOver(89);
    relay.start();
    await eventually(() => cursor.stored === log.head, { what: 'all is published' });
    expect(await notInStream()).toBe(0);
    expect(await reconciler.reconcile()).toMatchObject({ events: 95, missing: 0 });
  });

  it('finds the events that a failover put at the positions of lost ones', async () => {
    await append(95);
    await failOver(95);
    expect(await notInStream()).toBe(6);
    expect(await reconciler.reconcile()).toMatchObject({ events: 95, missing: 6, refused: 0 });
    expect(await notInStream()).toBe(0);
    expect(await reconciler.reconcile()).toMatchObject({ missing: 0 });
  });

  it('restores messages that were deleted by hand, automatically', async () => {
    await append(60);
    watch.start();
    await eventually(async () => (await cursor.mark()) !== null, { what: 'the stream was looked at' });
    const before = await content();
    for (const sequence of [1, 7, before.ids.length]) await jsm.streams.deleteMessage(stream.name, sequence);
    expect((await content()).ids).toHaveLength(before.ids.length - 3);
    await eventually(async () => (await content()).ids.length === before.ids.length, {
      withinMs: 30_000,
      everyMs: 200,
    });
    expect(await content()).toEqual(before);
  });

  it('delivers every event exactly once in the end, with concurrent appends', async () => {
    watch.start();
    appendEverySoOften();
    for (const lose of [() => jsm.streams.delete(stream.name), () => jsm.streams.purge(stream.name)]) {
      const head = log.head;
      await eventually(() => cursor.stored > head + 200, { what: 'events are published' });
      await lose();
    }
    const head = log.head;
    await eventually(() => cursor.stored > head + 200, { what: 'events are published again' });
    clearInterval(appending);
    await eventually(() => cursor.stored === log.head, { what: 'all is published' });
    await eventually(async () => (await content()).positions.length >= log.head, { withinMs: 30_000, everyMs: 200 });
    expect((await content()).positions).toEqual(all());
  });
});
