import { randomUUID } from 'node:crypto';
import {
  eventually,
  InMemoryReferenceLog,
  InMemoryRelayCursor,
  noticeIn,
  ownNatsServer,
  type OwnServer,
} from '@turnkeeper/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventStream, JetStreamPublisher, JetStreamStrategy, NatsConnectionProvider, Relay } from './index.js';

/** The path from log to handler, on a NATS server that the test may kill and wipe. */
class Road {
  readonly log = new InMemoryReferenceLog();
  readonly cursor = new InMemoryRelayCursor();
  readonly heard: number[] = [];
  private readonly stream = eventStream();
  private readonly relayBroker: NatsConnectionProvider;
  private readonly readerBroker: NatsConnectionProvider;
  private readonly relay: Relay;
  private readonly strategy: JetStreamStrategy;
  private readonly memories = Array.from({ length: 3 }, () => randomUUID());
  private appending: NodeJS.Timeout | null = null;

  constructor(nats: OwnServer) {
    this.relayBroker = new NatsConnectionProvider({ url: nats.url, name: 'relay' });
    this.readerBroker = new NatsConnectionProvider({ url: nats.url, name: 'reader' });
    const publisher = new JetStreamPublisher(this.relayBroker, { stream: this.stream, ackTimeoutMs: 1_000 });
    this.relay = new Relay(
      { log: this.log, cursor: this.cursor, publisher },
      { pageSize: 20, pollIntervalMs: 20, gatherMs: 0, backoffMs: { first: 50, longest: 200 } },
    );
    this.strategy = new JetStreamStrategy({
      broker: this.readerBroker,
      stream: this.stream,
      ackWaitMs: 2_000,
    });
    const hear = async (data: Uint8Array): Promise<void> => {
      this.heard.push(...noticeIn(data).events.map(({ position }) => position));
    };
    this.strategy.addHandler('tk.*.*.events', hear, true, { durable: 'reader' });
  }

  start(): void {
    this.relay.start();
    this.strategy.listen((error) => expect(error).toBeUndefined());
  }

  /** Appends an event every few milliseconds, even while NATS is down. */
  keepAppending(): void {
    this.appending = setInterval(() => {
      this.log.append(this.memories[this.log.head % 3]!);
      this.relay.notify();
    }, 3);
  }

  stopAppending(): void {
    if (this.appending !== null) clearInterval(this.appending);
  }

  missingAfter(position: number): number[] {
    const heard = new Set(this.heard);
    return this.log.references.map((r) => r.position).filter((p) => p > position && !heard.has(p));
  }

  async heardEverythingAfter(position = 0): Promise<void> {
    await eventually(() => this.missingAfter(position).length === 0, {
      withinMs: 20_000,
      what: () => `${this.missingAfter(position).length} of ${this.log.head} events not heard of`,
    });
  }

  async close(): Promise<void> {
    this.stopAppending();
    await Promise.all([this.relay.stop(), this.strategy.close()]);
    await Promise.all([this.relayBroker.close(), this.readerBroker.close()]);
  }
}

describe('the path through JetStream', () => {
  let nats: OwnServer;
  let road: Road;
  beforeEach(async () => {
    nats = await ownNatsServer();
    road = new Road(nats);
  });
  afterEach(async () => {
    await road.close();
    await nats.dispose();
  });

  it('starts when NATS comes up last', async () => {
    road.start();
    road.log.append(randomUUID(), 50);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await nats.start();
    await road.heardEverythingAfter();
  });

  it('loses no event when NATS is killed twice under load', async () => {
    await nats.start();
    road.start();
    road.keepAppending();
    for (let round = 1; round <= 2; round += 1) {
      await eventually(() => road.heard.length > 100 * round);
      await nats.kill();
      const atKill = road.log.head;
      // Appends continue while NATS is down.
      await eventually(() => road.log.head > atKill + 100);
      await nats.start();
    }
    road.stopAppending();
    await road.heardEverythingAfter();
  });

  it('recovers when NATS loses all its data', async () => {
    await nats.start();
    road.start();
    road.log.append(randomUUID(), 200);
    await road.heardEverythingAfter();
    await nats.kill();
    await nats.wipe();
    road.keepAppending();
    await eventually(() => road.log.head > 300);
    await nats.start();
    await eventually(() => road.log.head > 400);
    road.stopAppending();
    await road.heardEverythingAfter(200);
  });

  it('delivers every event published after a wipe under load, and the relay catches up', async () => {
    await nats.start();
    road.start();
    road.keepAppending();
    await eventually(() => road.heard.length > 100);
    await nats.kill();
    const published = road.log.head;
    await nats.wipe();
    await nats.start();
    await eventually(() => road.log.head > published + 200);
    road.stopAppending();
    await road.heardEverythingAfter(published);
    await eventually(() => road.cursor.stored === road.log.head);
  });
});
