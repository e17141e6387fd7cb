import { afterEach, expect, it, vi } from 'vitest';
import { eventStream } from '../event-stream.js';
import type { NatsConnectionProvider } from '../nats-connection.js';
import { DurableConsumer } from './durable-consumer.js';

afterEach(() => void vi.useRealTimers());

it('retries the pull until stopped, reports each failure, and leaks no listeners', async () => {
  vi.useFakeTimers();
  const added = vi.spyOn(AbortSignal.prototype, 'addEventListener');
  const removed = vi.spyOn(AbortSignal.prototype, 'removeEventListener');
  const failures: unknown[] = [];
  const consumer = new DurableConsumer({
    broker: { connection: () => Promise.reject(new Error('no NATS')) } as unknown as NatsConnectionProvider,
    stream: eventStream(),
    durable: 'worker-test',
    filterSubject: 'tk.>',
    handle: () => Promise.resolve(),
    observer: { interrupted: (_, error) => failures.push(error) },
  });
  consumer.start();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(failures.length).toBeGreaterThan(100);
  expect(added.mock.calls.length - removed.mock.calls.length).toBeLessThanOrEqual(1);
  await consumer.stop(0);
  vi.restoreAllMocks();
});

it('no longer extends a message whose handler threw synchronously', async () => {
  vi.useFakeTimers();
  const message = { info: { deliveryCount: 1 }, ack: vi.fn(), nak: vi.fn(), working: vi.fn() };
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const messages = {
    stop,
    closed: () => stopped,
    async *[Symbol.asyncIterator]() {
      yield message;
      await stopped;
    },
  };
  const connection = {
    jetstreamManager: async () => ({
      streams: { add: async () => {} },
      consumers: { info: async () => ({ config: {} }), update: async () => {} },
    }),
    jetstream: () => ({ consumers: { get: async () => ({ consume: async () => messages }) } }),
  };
  const consumer = new DurableConsumer({
    broker: { connection: async () => connection } as unknown as NatsConnectionProvider,
    stream: eventStream(),
    durable: 'worker-test',
    filterSubject: 'tk.>',
    handle: () => {
      throw new Error('at once');
    },
  });
  consumer.start();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(message.nak).toHaveBeenCalledTimes(1);
  expect(message.working).not.toHaveBeenCalled();
  await consumer.stop(0);
});
