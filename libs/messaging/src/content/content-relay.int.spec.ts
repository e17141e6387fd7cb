import { randomUUID } from 'node:crypto';
import { cloudEvent, type CloudEvent } from '@turnkeeper/contracts';
import type { LogEvent } from '@turnkeeper/domain';
import { eventually, testServers } from '@turnkeeper/testing';
import { AckPolicy } from 'nats';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventStream, NatsConnectionProvider } from '../index.js';
import { ContentRelay, deleteContentStream } from './content-relay.js';
import { contentStream } from './content-stream.js';

const broker = new NatsConnectionProvider({ url: testServers.nats(), name: 'content' });
beforeAll(() => broker.connection());
afterAll(() => broker.close());

const TENANT = randomUUID();
const MEMORY = randomUUID();
const HOUR_MS = 3_600_000;
/** Appears in what is erased and nowhere else. */
const SECRET = 'zanzibarquokka';

/** A log in memory. Erased events are gone from it, as in the real one. */
class Log {
  events: LogEvent[] = [];
  private head = 0;
  reads = 0;
  /** Holds every read, like a process that is frozen after it. */
  held: Promise<void> | null = null;

  append(type: string, data: object, more: object = {}): LogEvent {
    const event = {
      position: (this.head += 1),
      tenantId: TENANT,
      memoryId: MEMORY,
      actorId: 'linh/1',
      sessionId: 'call 1',
      sessionKey: 7,
      sequence: 1,
      eventId: randomUUID(),
      type,
      schemaVersion: 1,
      data,
      occurredAt: null,
      recordedAt: new Date().toISOString(),
      expiresAt: null,
      ...more,
    } as unknown as LogEvent;
    this.events.push(event);
    return event;
  }
  say(content: string, more: object = {}): LogEvent {
    return this.append('message.appended', { payloadType: 'CONVERSATIONAL', role: 'user', content }, more);
  }
  /** What a standby had when it took over: the events up to this one. */
  upTo(last: LogEvent): Log {
    const log = new Log();
    log.events = this.events.filter(({ position }) => position <= last.position);
    log.head = last.position;
    return log;
  }
  erase(...erased: LogEvent[]): void {
    this.events = this.events.filter((event) => !erased.includes(event));
  }
  /** Something about the memory, outside sessions. */
  tell(type: string, data: object): LogEvent {
    return this.append(type, data, { actorId: null, sessionId: null, sessionKey: null, sequence: null });
  }
  async readLogPage(after: number) {
    this.reads += 1;
    const events = this.events.filter(({ position }) => position > after);
    await this.held;
    return { events, more: false };
  }
  async positionSince(ageMs: number): Promise<number> {
    const since = Date.now() - ageMs;
    return (
      this.events.find(({ recordedAt }) => Date.parse(recordedAt) >= since)?.position ?? (await this.headPosition()) + 1
    );
  }
  async headPosition(): Promise<number> {
    return this.head;
  }
}

describe('events as CloudEvents on JetStream', () => {
  let log: Log;
  let relays: ContentRelay[];
  let stream: ReturnType<typeof contentStream>;
  beforeEach(() => {
    const id = randomUUID().slice(0, 8);
    log = new Log();
    relays = [];
    stream = contentStream(eventStream({ stream: `CE_${id}`, subjectPrefix: `ce_${id}` }), 12);
  });
  afterEach(async () => {
    await Promise.all(relays.map((relay) => relay.stop()));
    await deleteContentStream(broker, stream);
  });

  const start = (from = log, watchMs = 50): ContentRelay => {
    const ports = { log: from, broker, stream, isLeading: () => true, nowMs: () => Date.now() };
    const relay = new ContentRelay(ports, { pollMs: 10, watchMs, retryMs: 20 });
    relays.push(relay);
    relay.start();
    return relay;
  };
  const manager = async () => (await broker.connection()).jetstreamManager();
  /** All messages on the stream, oldest first. */
  const stored = async (filter = `${stream.subjectPrefix}.>`) => {
    const jsm = await manager();
    const { name, num_pending: pending } = await jsm.consumers.add(stream.name, {
      ack_policy: AckPolicy.None,
      filter_subject: filter,
      mem_storage: true,
    });
    const messages: { subject: string; id: string; event: CloudEvent }[] = [];
    if (pending === 0) return messages;
    const consumer = await (await broker.connection()).jetstream().consumers.get(stream.name, name);
    for await (const message of await consumer.fetch({ max_messages: pending, expires: 5_000 })) {
      const event = cloudEvent.parse(message.json());
      messages.push({ subject: message.subject, id: message.headers?.get('Nats-Msg-Id') ?? '', event });
    }
    await jsm.consumers.delete(stream.name, name);
    return messages;
  };
  /** The events that the stream holds once it has the log's newest one. */
  const published = async (): Promise<CloudEvent[]> => {
    const newest = String(log.events.at(-1)?.position);
    let events: CloudEvent[] = [];
    await eventually(
      async () => {
        events = (await stored().catch(() => [])).map(({ event }) => event);
        return events.some(({ position }) => position === newest);
      },
      { everyMs: 50, withinMs: 60_000, what: 'the newest event is published' },
    );
    return events;
  };
  const idsOf = (events: readonly { id?: string; eventId?: string }[]) => [
    ...new Set(events.map(({ id, eventId }) => id ?? eventId)),
  ];

  it('have the form of version 1.0, on subjects by tenant, memory and type', async () => {
    const said = log.say('Hello.', { occurredAt: '2026-03-02T10:00:00.000Z' });
    const described = log.tell('memory.described', { description: 'x' });
    const picture = log.append('binary.appended', { payloadType: 'IMAGE', binaryData: 'AAAA' });
    const long = log.say('x'.repeat(1_100_000));
    start();
    expect(await published()).toEqual([
      {
        specversion: '1.0',
        id: said.eventId,
        source: `/tenants/${TENANT}/memories/${MEMORY}`,
        type: 'turnkeeper.message.appended',
        subject: 'actors/linh%2F1/sessions/call%201',
        time: '2026-03-02T10:00:00.000Z',
        datacontenttype: 'application/json',
        dataschema: 'urn:turnkeeper:event:message.appended:1',
        data: said.data,
        position: '1',
        sequence: '1',
        recordedtime: said.recordedAt,
      },
      expect.objectContaining({ id: described.eventId, type: 'turnkeeper.memory.described' }),
      expect.objectContaining({
        id: picture.eventId,
        dataref: `/memory/memories/${MEMORY}/actors/linh%2F1/sessions/call%201/events/${picture.eventId}`,
      }),
      expect.objectContaining({ id: long.eventId, dataref: expect.stringContaining(long.eventId) as string }),
    ]);
    const messages = await stored(`${stream.subjectPrefix}.${TENANT}.${MEMORY}.message.appended.*`);
    expect(messages.map(({ subject, id }) => [subject, id])).toEqual(
      [said, long].map(({ eventId }) => [
        `${stream.subjectPrefix}.${TENANT}.${MEMORY}.message.appended.7`,
        `${TENANT}:${eventId}`,
      ]),
    );
    expect((await stored(`${stream.subjectPrefix}.*.*.memory.>`)).map(({ event }) => event.id)).toEqual([
      described.eventId,
    ]);
  });

  const ERASURES: Record<string, (erased: LogEvent) => void> = {
    'an event': ({ position }) =>
      log.tell('content.erased', { target: 'event', sessionKeys: [], position, withdrawnRecords: 1 }),
    'a session or an actor': () =>
      log.tell('content.erased', { target: 'session', sessionKeys: [7], position: null, withdrawnRecords: 1 }),
    'a memory': () => log.tell('memory.deleted', {}),
    'the events that expire now': () =>
      log.tell('memory.expiry_changed', { eventExpiryDuration: 1, appliedToExisting: true }),
  };
  it.each(Object.keys(ERASURES))('lose %s with the log, and do not come back', async (what) => {
    log.say('Stays.', { sessionKey: 8 });
    const erased = log.say(SECRET);
    const derived = log.append('records.extracted', { rawAnswer: SECRET }, { sequence: null });
    start();
    expect(JSON.stringify(await published())).toContain(SECRET);
    log.erase(erased, derived);
    ERASURES[what]?.(erased);
    expect(JSON.stringify(await published())).not.toContain(SECRET);
    if (what.includes('event') === false) return;
    // Once more from the log.
    await deleteContentStream(broker, stream);
    expect(JSON.stringify(await published())).not.toContain(SECRET);
  });

  it('are not brought back by a process that was frozen before an erasure', async () => {
    const erased = log.say(SECRET);
    const frozen = new Log();
    frozen.events = [...log.events];
    let thaw = (): void => undefined;
    frozen.held = new Promise((resolve) => (thaw = resolve));
    // It does not look at the stream first, so only the publish itself can be refused.
    const late = start(frozen, Number.POSITIVE_INFINITY);
    await eventually(() => frozen.reads > 0, { withinMs: 60_000 });
    log.erase(erased);
    log.tell('content.erased', { target: 'event', sessionKeys: [], position: erased.position, withdrawnRecords: 0 });
    start();
    await published();
    thaw();
    await late.stop();
    expect(JSON.stringify(await stored())).not.toContain(SECRET);
  });

  it.each(['deleted', 'purged'])('are published again with the same ids after the stream was %s', async (how) => {
    log.say('One.');
    log.say('Two.');
    start();
    const before = idsOf(await published());
    if (how === 'deleted') await deleteContentStream(broker, stream);
    else await (await manager()).streams.purge(stream.name);
    await eventually(async () => idsOf((await stored().catch(() => [])).map(({ event }) => event)).length === 2, {
      everyMs: 50,
      withinMs: 60_000,
      what: 'both events are back',
    });
    expect(idsOf((await stored()).map(({ event }) => event))).toEqual(before);
  });

  it('continue where another process stopped', async () => {
    log.say('One.');
    const first = start();
    await published();
    await first.stop();
    log.say('Two.');
    start();
    expect((await published()).map(({ data }) => data?.['content'])).toEqual(['One.', 'Two.']);
  });

  it.each([
    ['has fewer events', 0],
    ['has as many events', 4],
    ['has more events', 9],
  ])('are those of the log after a failover that lost some, if it %s', async (_, more) => {
    const last = [log.say('One.'), log.say('Two.')][1]!;
    for (let lost = 0; lost < 4; lost += 1) log.say(SECRET);
    const before = start();
    await published();
    await before.stop();
    log = log.upTo(last);
    for (let index = 0; index < more; index += 1) log.say(`New ${index}.`);
    start();
    const expected = log.events.map(({ eventId }) => eventId);
    await eventually(
      async () => JSON.stringify(idsOf((await stored()).map(({ event }) => event))) === JSON.stringify(expected),
      {
        everyMs: 50,
        withinMs: 20_000,
        what: 'the stream has the events of the log',
      },
    );
    expect(JSON.stringify(await stored())).not.toContain(SECRET);
  });

  it('are those of the log after a failover, if a lost event was sent again and got its position again', async () => {
    const one = log.say('One.');
    log.say(SECRET);
    const again = log.say('Sent twice.');
    const before = start();
    await published();
    await before.stop();
    log = log.upTo(one);
    log.say('Other.');
    log.say('Sent twice.', { eventId: again.eventId, recordedAt: new Date(Date.now() + 5).toISOString() });
    start();
    await eventually(
      async () => (await stored()).map(({ event }) => event.data?.['content']).join() === 'One.,Other.,Sent twice.',
      { everyMs: 50, withinMs: 20_000, what: 'the stream has the events of the log' },
    );
  });

  it('leave out what is older than the retention, or would expire within it', async () => {
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    log.say('Soon new.', { recordedAt: at(-13 * HOUR_MS) });
    log.say('New.', { expiresAt: at(24 * HOUR_MS) });
    log.say('Short-lived.', { expiresAt: at(11 * HOUR_MS) });
    log.say('Last.');
    start();
    expect((await published()).map(({ data }) => data?.['content'])).toEqual(['New.', 'Last.']);
  });
});
