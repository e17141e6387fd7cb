import { randomUUID } from 'node:crypto';
import type { EventNotice, EventPublisher } from '@turnkeeper/application';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.js';

export interface Subscription {
  close(): Promise<void>;
}

/** What the laws need from a broker: the port, subscriptions, and access to its contents. */
export interface BusUnderTest {
  readonly publisher: EventPublisher;
  /**
   * Subscribers with the same name share the work. Each name gets every message, including earlier ones. The backoff
   * after a failure starts at 20 ms or more and doubles.
   */
  subscribe(durable: string, handle: (notice: EventNotice) => Promise<void>): Promise<Subscription>;
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

/** The notice in a message of JetStream. */
export const noticeIn = (message: Uint8Array): EventNotice => {
  const { tenantId, memoryId, events } = JSON.parse(new TextDecoder().decode(message)) as EventNotice;
  return { tenantId, memoryId, events };
};

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

    it('stores a notice once if it is published twice', async () => {
      const memory = randomUUID();
      const notices = [noticeOf(memory, 1, 2), noticeOf(memory, 3)];
      await bus.publisher.publish(notices);
      await bus.publisher.publish(notices);
      expect(await bus.stored()).toBe(2);
    });

    it('stores notices of other events at the same positions, as after a failover that lost events', async () => {
      const memory = randomUUID();
      for (let time = 0; time < 2; time += 1)
        await bus.publisher.publish([noticeOf(memory, 1, 2), noticeOf(memory, 3)]);
      expect(await bus.stored()).toBe(4);
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
      // Load makes either gap longer, so they are not compared with each other.
      expect(third - second).toBeGreaterThan(30);
    });

    it('goes on with other notices while one fails', async () => {
      const handled: number[] = [];
      await bus.subscribe('listener', async ({ events }) => {
        if (events[0]!.position === 2) throw new Error('always');
        handled.push(events[0]!.position);
      });
      const memory = randomUUID();
      await bus.publisher.publish([1, 2, 3, 4].map((position) => noticeOf(memory, position)));
      await eventually(() => handled.length === 3);
      expect(handled.sort()).toEqual([1, 3, 4]);
    });
  });
};
