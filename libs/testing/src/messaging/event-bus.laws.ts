import { randomUUID } from 'node:crypto';
import type { EventNotice, EventPublisher } from '@turnkeeper/application';
import { MemoryNotFound } from '@turnkeeper/domain';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.js';
import type { InMemoryParkingLot } from './in-memory-parking-lot.js';

export interface Subscription {
  close(): Promise<void>;
}

/** What the laws need from a broker: the port, subscriptions, and access to its contents. */
export interface BusUnderTest {
  readonly publisher: EventPublisher;
  readonly parkingLot: InMemoryParkingLot;
  /** Deliveries after which a failing message is parked: at least 3. The backoff doubles from ≥ 20 ms. */
  readonly maxDeliveries: number;
  /** Subscribers with the same name share the work. Each name gets every message, including earlier ones. */
  subscribe(durable: string, handle: (notice: EventNotice) => Promise<void>): Promise<Subscription>;
  /** Stores a message that none of our publishers would send. */
  publishRaw(payload: string): Promise<void>;
  /** Number of messages in the broker. */
  stored(): Promise<number>;
  close(): Promise<void>;
}

const TENANT = '00000000-0000-4000-8000-000000000001';

/** A notice with the events at these positions. */
export const noticeOf = (memoryId: string, ...positions: number[]): EventNotice => ({
  tenantId: TENANT,
  memoryId,
  events: positions.map((position) => ({
    position,
    eventId: randomUUID(),
    type: 'message.appended',
    sessionKey: 7,
    sequence: position,
  })),
});

/** Contract of every event bus. `make` returns an empty one. */
export const eventBusLaws = (name: string, make: () => Promise<BusUnderTest>): void => {
  describe(`${name} as an event bus`, () => {
    let bus: BusUnderTest;
    beforeEach(async () => {
      bus = await make();
    });
    afterEach(() => bus.close());

    it('delivers every notice once and unchanged, in order per memory', async () => {
      const memories = Array.from({ length: 5 }, () => randomUUID());
      const notices = Array.from({ length: 200 }, (_, i) => noticeOf(memories[i % 5]!, 2 * i + 1, 2 * i + 2));
      const heard: EventNotice[] = [];
      await bus.subscribe('listener', async (notice) => void heard.push(notice));
      for (let i = 0; i < notices.length; i += 20) await bus.publisher.publish(notices.slice(i, i + 20));
      await eventually(() => heard.length >= notices.length);
      for (const memory of memories) {
        expect(heard.filter((n) => n.memoryId === memory)).toEqual(notices.filter((n) => n.memoryId === memory));
      }
    });

    it('never handles two notices of one memory concurrently', async () => {
      const memory = randomUUID();
      let running = 0;
      let most = 0;
      let done = 0;
      await bus.subscribe('listener', async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 2));
        running -= 1;
        done += 1;
      });
      await bus.publisher.publish(Array.from({ length: 20 }, (_, i) => noticeOf(memory, i + 1)));
      await eventually(() => done === 20);
      expect(most).toBe(1);
    });

    it('stores a notice once if it is published twice', async () => {
      const memory = randomUUID();
      await bus.publisher.publish([noticeOf(memory, 1, 2), noticeOf(memory, 3)]);
      await bus.publisher.publish([noticeOf(memory, 1, 2), noticeOf(memory, 3)]);
      expect(await bus.stored()).toBe(2);
    });

    it('delivers notices published before the first subscription', async () => {
      const heard: EventNotice[] = [];
      const notice = noticeOf(randomUUID(), 1);
      await bus.publisher.publish([notice]);
      await bus.subscribe('late', async (n) => void heard.push(n));
      await eventually(() => heard.length === 1);
      expect(heard).toEqual([notice]);
    });

    it('delivers all notices to each durable name and distributes them among its subscribers', async () => {
      const heard = { one: 0, two: 0, other: 0 };
      await bus.subscribe('shared', async () => void (heard.one += 1));
      await bus.subscribe('shared', async () => void (heard.two += 1));
      await bus.subscribe('alone', async () => void (heard.other += 1));
      await bus.publisher.publish(Array.from({ length: 60 }, (_, i) => noticeOf(randomUUID(), i + 1)));
      await eventually(() => heard.one + heard.two === 60 && heard.other === 60, { what: () => JSON.stringify(heard) });
    });

    it('redelivers after a growing backoff when a handler fails', async () => {
      const times: number[] = [];
      await bus.subscribe('listener', async () => {
        times.push(performance.now());
        if (times.length < 3) throw new Error('not yet');
      });
      await bus.publisher.publish([noticeOf(randomUUID(), 1)]);
      await eventually(() => times.length === 3);
      const [first = 0, second = 0, third = 0] = times;
      expect(second - first).toBeGreaterThan(15);
      expect(third - second).toBeGreaterThan(1.5 * (second - first));
      expect(bus.parkingLot.items).toEqual([]);
    });

    it('parks what a rule rejects, under its code, and continues with other notices', async () => {
      const memory = randomUUID();
      const handled: number[] = [];
      let refused = 0;
      await bus.subscribe('listener', async ({ events }) => {
        const position = events[0]!.position;
        if (position === 2) {
          refused += 1;
          throw new MemoryNotFound();
        }
        handled.push(position);
      });
      await bus.publisher.publish([1, 2, 3, 4].map((position) => noticeOf(memory, position)));
      await eventually(() => handled.length === 3 && bus.parkingLot.items.length === 1);
      expect(handled).toEqual([1, 3, 4]);
      expect(refused).toBe(1);
      expect(bus.parkingLot.items[0]).toMatchObject({ code: 'memory.not_found', attempts: 1 });
      expect(JSON.parse(bus.parkingLot.items[0]!.payload)).toMatchObject({
        memoryId: memory,
        events: [{ position: 2 }],
      });
    });

    it('parks a notice that still fails on the last delivery', async () => {
      let attempts = 0;
      await bus.subscribe('listener', async () => {
        attempts += 1;
        throw new Error('always');
      });
      await bus.publisher.publish([noticeOf(randomUUID(), 1)]);
      await eventually(() => bus.parkingLot.items.length === 1);
      expect(bus.parkingLot.items[0]).toMatchObject({ code: 'delivery.exhausted', attempts: bus.maxDeliveries });
      expect(attempts).toBe(bus.maxDeliveries);
    });

    it('keeps a poison notice until the parking lot accepts it', async () => {
      bus.parkingLot.failNext(2);
      let attempts = 0;
      await bus.subscribe('listener', async () => {
        attempts += 1;
        throw new MemoryNotFound();
      });
      await bus.publisher.publish([noticeOf(randomUUID(), 1)]);
      await eventually(() => bus.parkingLot.items.length === 1);
      expect(attempts).toBe(3);
    });

    it('parks unreadable messages and continues', async () => {
      const handled: string[] = [];
      await bus.subscribe('listener', async ({ memoryId }) => void handled.push(memoryId));
      await bus.publishRaw('{"half":');
      const memory = randomUUID();
      await bus.publisher.publish([noticeOf(memory, 1)]);
      await eventually(() => handled.length === 1 && bus.parkingLot.items.length === 1);
      expect(handled).toEqual([memory]);
      expect(bus.parkingLot.items[0]).toMatchObject({ code: 'message.unreadable', payload: '{"half":' });
    });
  });
};
