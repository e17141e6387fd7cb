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
  messageIdOf,
  NatsConnectionProvider,
  Relay,
  StreamWatch,
} from '../index.js';

/** Deduplication window in this test; a deleted message is rejected as a duplicate until it ends. */
const DEDUP_MS = 2_000;

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
    relay = new Relay(
      { log, cursor, publisher },
      { pageSize: 10, pollIntervalMs: 10, gatherMs: 0, cursorIntervalMs: 50 },
    );
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
  /** Message ids and positions as read by an external subscriber. */
  const content = async (): Promise<{ ids: string[]; positions: number[] }> => {
    const { messages, last_seq } = (await jsm.streams.info(stream.name)).state;
    const found = { ids: [] as string[], positions: [] as number[] };
    if (messages === 0) return found;
    const { name } = await jsm.consumers.add(stream.name, { ack_policy: AckPolicy.None });
    const consumer = await nats.jetstream().consumers.get(stream.name, name);
    for await (const message of await consumer.fetch({ max_messages: messages, expires: 2_000 })) {
      const notice = noticeIn(message.data);
      found.ids.push(messageIdOf(notice));
      expect(message.headers?.get('Nats-Msg-Id')).toBe(messageIdOf(notice));
      found.positions.push(...notice.events.map(({ position }) => position));
      if (message.seq >= last_seq) break;
    }
    await jsm.consumers.delete(stream.name, name).catch(() => undefined);
    return { ids: found.ids.sort(), positions: found.positions.sort((a, b) => a - b) };
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
