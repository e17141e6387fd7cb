import { randomUUID } from 'node:crypto';
import type { Job } from '@turnkeeper/application';
import {
  createTestDatabase,
  deliverJob,
  eventually,
  extractJob,
  handleAll,
  jobQueueLaws,
  testServers,
  type TestDatabase,
} from '@turnkeeper/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BullMqJobQueue, queueBackend, WorkerHost, type WorkerHostOptions } from './index.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
// Workers closed by force release their connections asynchronously.
afterAll(() => database.drop({ inUse: true }));

const backends = [
  { kind: 'Redis', url: () => testServers.redis() },
  { kind: 'Postgres', url: () => database.url },
] as const;
const ownNamespace = (): string => `jobs_${randomUUID().replaceAll('-', '').slice(0, 12)}`;

for (const { kind, url } of backends) {
  jobQueueLaws(`BullMQ on ${kind}`, async () => {
    const backend = queueBackend(url(), { namespace: ownNamespace() });
    const queue = new BullMqJobQueue(backend, { timeoutMs: 5_000 });
    const hosts: WorkerHost[] = [];
    return {
      queue,
      startHost: async (handlers) => {
        const host = new WorkerHost(backend, handlers);
        hosts.push(host);
        host.start();
        return host;
      },
      close: async () => {
        await Promise.all(hosts.map((host) => host.close(1_000)));
        await queue.close();
      },
    };
  });
}

describe.each(backends)('WorkerHost on $kind', ({ url }) => {
  let namespace: string;
  let queue: BullMqJobQueue;
  const hosts: WorkerHost[] = [];
  const host = (
    ...parameters: ConstructorParameters<typeof WorkerHost> extends [unknown, ...infer Rest] ? Rest : never
  ) => {
    const made = new WorkerHost(queueBackend(url(), { namespace }), ...parameters);
    hosts.push(made);
    made.start();
    return made;
  };
  beforeEach(() => {
    namespace = ownNamespace();
    queue = new BullMqJobQueue(queueBackend(url(), { namespace }), { timeoutMs: 5_000 });
  });
  afterEach(async () => {
    await Promise.all(hosts.splice(0).map((made) => made.close(0)));
    await queue.close();
  });

  it('waits for running jobs on close and takes no new ones', async () => {
    const finished: Job[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const made = host(
      handleAll(async (job) => {
        await held;
        finished.push(job);
      }),
    );
    await queue.enqueue([extractJob(1)]);
    await eventually(() => made.active === 1);
    const closing = made.close(10_000);
    await queue.enqueue([extractJob(2)]);
    release();
    await closing;
    expect(finished).toEqual([extractJob(1)]);
    const others: Job[] = [];
    host(handleAll(async (job) => void others.push(job)));
    await eventually(() => others.length === 1);
    expect(others).toEqual([extractJob(2)]);
  });

  it('aborts the signal at the deadline and returns the job to another host immediately', async () => {
    const made = host(
      handleAll(
        (_, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new Error('aborted')));
          }),
      ),
      { lockMs: 60_000 },
    );
    await queue.enqueue([extractJob(1)]);
    await eventually(() => made.active === 1);
    await made.close(100);
    const taken: Job[] = [];
    host(handleAll(async (job) => void taken.push(job)));
    await eventually(() => taken.length === 1, { withinMs: 5_000 });
  });

  it('does not wait for a handler that ignores its signal', async () => {
    const made = host(handleAll(() => new Promise(() => undefined)));
    await queue.enqueue([extractJob(1)]);
    await eventually(() => made.active === 1);
    const before = performance.now();
    await made.close(100);
    expect(performance.now() - before).toBeLessThan(3_000);
  });

  it('renews the lock of a job that runs longer than its lock duration', async () => {
    let runs = 0;
    let finished = 0;
    const slow = handleAll(async () => {
      runs += 1;
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      finished += 1;
    });
    const options: WorkerHostOptions = { lockMs: 800, stalledIntervalMs: 200 };
    host(slow, options);
    host(slow, options);
    await queue.enqueue([extractJob(1)]);
    await eventually(() => finished === 1);
    expect(runs).toBe(1);
  });

  it('reports finished and failed jobs', async () => {
    const finished: Job[] = [];
    const failed: (Job | null)[] = [];
    const [good, bad] = [deliverJob(), extractJob(1)];
    host(
      handleAll(async ({ name }) => {
        if (name === 'extract') throw new Error('a bug');
      }),
      {},
      { finished: (job) => void finished.push(job), failed: (job) => void failed.push(job) },
    );
    await queue.enqueue([good, bad]);
    await eventually(() => finished.length === 1 && failed.length === 1);
    expect(finished).toEqual([good]);
    expect(failed).toEqual([bad]);
  });
});
