import { randomUUID } from 'node:crypto';
import type { EventNotice, EventPublisher } from '@turnkeeper/application';
import { eventually, InMemoryReferenceLog, InMemoryRelayCursor } from '@turnkeeper/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { Relay, type RelayObserver, type RelayOptions } from './relay.js';

/** Records published notices; fails on demand. */
class RecordingPublisher implements EventPublisher {
  readonly pages: (readonly EventNotice[])[] = [];
  readonly attempts: (readonly EventNotice[])[] = [];
  failing = false;

  async publish(notices: readonly EventNotice[]): Promise<void> {
    this.attempts.push(notices);
    await new Promise((resolve) => setImmediate(resolve));
    if (this.failing) throw new Error('The broker is away.');
    this.pages.push(notices);
  }

  get notices(): EventNotice[] {
    return this.pages.flat();
  }

  get positions(): number[] {
    return this.notices.flatMap(({ events }) => events.map(({ position }) => position));
  }
}

const relays: Relay[] = [];
afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.stop()));
});

const FAST: RelayOptions = {
  pollIntervalMs: 5,
  gatherMs: 0,
  leadRetryMs: 5,
  backoffMs: { first: 5, longest: 20 },
};
const world = (options: RelayOptions = {}) => {
  const log = new InMemoryReferenceLog();
  const cursor = new InMemoryRelayCursor();
  const publisher = new RecordingPublisher();
  const relay = (own: RelayOptions = {}, observer: RelayObserver = {}): Relay => {
    const made = new Relay({ log, cursor, publisher }, { ...FAST, ...options, ...own }, observer);
    relays.push(made);
    made.start();
    return made;
  };
  return { log, cursor, publisher, relay };
};
const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

describe('Relay', () => {
  it('publishes the whole log in order, page by page', async () => {
    const { log, publisher, relay } = world({ pageSize: 10 });
    log.append(randomUUID(), 35);
    relay();
    await eventually(() => publisher.positions.length === 35);
    expect(publisher.positions).toEqual(upTo(35));
    expect(publisher.pages.map((page) => page.flatMap(({ events }) => events).length)).toEqual([10, 10, 10, 5]);
  });

  it('publishes one notice per memory and page, its events in log order', async () => {
    const { log, publisher, relay } = world();
    const [a, b] = [randomUUID(), randomUUID()];
    for (const memory of [a, b, a, a, b]) log.append(memory);
    relay();
    await eventually(() => publisher.positions.length === 5);
    expect(publisher.notices.map(({ memoryId, events }) => [memoryId, events.map(({ position }) => position)])).toEqual(
      [
        [a, [1, 3, 4]],
        [b, [2, 5]],
      ],
    );
  });

  it('skips positions that expired before they were published', async () => {
    const { log, publisher, cursor, relay } = world();
    log.append(randomUUID(), 6);
    log.expire([2, 3]);
    relay();
    await eventually(() => cursor.stored === 6);
    expect(publisher.positions).toEqual([1, 4, 5, 6]);
  });

  it('publishes immediately when notified', async () => {
    const { log, publisher, relay } = world({ pollIntervalMs: 60_000 });
    const made = relay();
    await eventually(() => made.isLeading);
    log.append(randomUUID());
    made.notify();
    await eventually(() => publisher.positions.length === 1, { withinMs: 1_000 });
  });

  it('finds events without being notified', async () => {
    const { log, publisher, relay } = world();
    const made = relay();
    await eventually(() => made.isLeading);
    log.append(randomUUID());
    await eventually(() => publisher.positions.length === 1);
  });

  it('batches events in quick succession into few pages', async () => {
    const { log, publisher, relay } = world({ gatherMs: 40 });
    const made = relay();
    await eventually(() => made.isLeading);
    for (let i = 0; i < 50; i += 1) {
      log.append(randomUUID());
      made.notify();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await eventually(() => publisher.positions.length === 50);
    expect(publisher.pages.length).toBeLessThan(10);
  });

  it('republishes identical notices after a failure, even if the log has grown', async () => {
    const { log, publisher, relay } = world();
    const memory = randomUUID();
    log.append(memory, 3);
    publisher.failing = true;
    const made = relay();
    await eventually(() => publisher.attempts.length >= 2);
    log.append(memory, 3);
    made.notify();
    publisher.failing = false;
    await eventually(() => publisher.positions.length === 6);
    expect(publisher.positions).toEqual(upTo(6));
    for (const attempt of publisher.attempts.slice(0, -1)) {
      expect(attempt.flatMap(({ events }) => events.map(({ position }) => position))).toEqual([1, 2, 3]);
    }
  });

  it('backs off after each failure, even when notified of new events', async () => {
    const { log, publisher, relay } = world({ backoffMs: { first: 20, longest: 80 } });
    const pauses: number[] = [];
    log.append(randomUUID());
    publisher.failing = true;
    const startedAt = performance.now();
    const made = relay({}, { failed: (_, pauseMs) => void pauses.push(pauseMs) });
    const hurry = setInterval(() => made.notify(), 1);
    await eventually(() => pauses.length >= 4);
    clearInterval(hurry);
    expect(pauses.slice(0, 4)).toEqual([20, 40, 80, 80]);
    expect(performance.now() - startedAt).toBeGreaterThan(130);
  });

  it('stores the cursor when it has caught up, so that the next leader starts there', async () => {
    const { log, publisher, cursor, relay } = world({ cursorIntervalMs: 60_000 });
    log.append(randomUUID(), 4);
    const first = relay();
    await eventually(() => cursor.stored === 4);
    await first.stop();
    log.append(randomUUID(), 2);
    relay();
    await eventually(() => publisher.positions.length === 6);
    expect(publisher.positions).toEqual(upTo(6));
  });

  it('stores the cursor when stopped while publishing', async () => {
    const { log, publisher, cursor, relay } = world({ pageSize: 1, cursorIntervalMs: 60_000 });
    log.append(randomUUID(), 5_000);
    const made = relay();
    await eventually(() => publisher.positions.length > 3);
    await made.stop();
    expect(cursor.stored).toBe(publisher.positions.length);
    expect(cursor.stored).toBeLessThan(5_000);
    expect(made.isLeading).toBe(false);
  });

  it('never moves the cursor past what the broker has acknowledged', async () => {
    const { log, publisher, cursor, relay } = world({ pageSize: 2 });
    log.append(randomUUID(), 3);
    relay();
    await eventually(() => cursor.stored === 3);
    publisher.failing = true;
    log.append(randomUUID(), 5);
    await eventually(() => publisher.attempts.length > 5);
    expect(cursor.stored).toBe(3);
  });
});

describe('two relays', () => {
  it('publish every event once, because only one of them leads', async () => {
    const { log, publisher, relay } = world();
    const both = [relay(), relay()];
    for (let i = 0; i < 30; i += 1) {
      log.append(randomUUID());
      for (const made of both) made.notify();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await eventually(() => publisher.positions.length >= 30);
    expect(publisher.positions).toEqual(upTo(30));
    expect(both.filter((made) => made.isLeading)).toHaveLength(1);
  });

  it('lose no event when the leader loses its connection: the other takes over', async () => {
    const { log, publisher, cursor, relay } = world();
    const first = relay();
    await eventually(() => first.isLeading);
    const second = relay({ leadRetryMs: 1 });
    log.append(randomUUID(), 10);
    await eventually(() => publisher.positions.length === 10);
    cursor.loseLease();
    log.append(randomUUID(), 10);
    await eventually(() => new Set(publisher.positions).size === 20);
    expect([...new Set(publisher.positions)]).toEqual(upTo(20));
    expect([first, second].filter((made) => made.isLeading)).toHaveLength(1);
  });

  it('stop publishing when the lease is lost during an outage', async () => {
    const { log, publisher, cursor, relay } = world();
    log.append(randomUUID());
    publisher.failing = true;
    const made = relay({ leadRetryMs: 60_000 });
    await eventually(() => publisher.attempts.length > 1);
    cursor.loseLease();
    await eventually(() => !made.isLeading);
    const attempts = publisher.attempts.length;
    publisher.failing = false;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(publisher.attempts.length).toBe(attempts);
  });

  it('report a failure to acquire the lease, and retry', async () => {
    const { log, publisher, cursor } = world();
    log.append(randomUUID());
    const failures: unknown[] = [];
    let calls = 0;
    const flaky = {
      lead: async () => {
        calls += 1;
        if (calls < 3) throw new Error('The database is away.');
        return cursor.lead();
      },
    };
    const made = new Relay({ log, cursor: flaky, publisher }, FAST, { failed: (error) => void failures.push(error) });
    relays.push(made);
    made.start();
    await eventually(() => publisher.positions.length === 1);
    expect(failures).toHaveLength(2);
  });
});
