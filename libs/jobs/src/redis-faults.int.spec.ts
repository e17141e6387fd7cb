import type { Job } from '@turnkeeper/application';
import { eventually, extractJob, handleAll, ownRedisServer, type OwnServer } from '@turnkeeper/testing';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BullMqJobQueue, queueBackend, QueueUnavailable, WorkerHost } from './index.js';

describe('jobs on a failing Redis', () => {
  let redis: OwnServer;
  let queue: BullMqJobQueue;
  let host: WorkerHost | null = null;
  const seen: Job[] = [];
  const startHost = (handle = async (job: Job): Promise<void> => void seen.push(job)): WorkerHost => {
    host = new WorkerHost(queueBackend(redis.url), handleAll(handle));
    host.start();
    return host;
  };
  const flush = async (): Promise<void> => {
    const client = new Redis(redis.port);
    await client.flushall();
    client.disconnect();
  };
  /** Retries like a sweep, until the enqueue succeeds. */
  const enqueueInTheEnd = (jobs: readonly Job[]): Promise<void> =>
    eventually(() =>
      queue.enqueue(jobs).then(
        () => true,
        () => false,
      ),
    );

  beforeEach(async () => {
    redis = await ownRedisServer();
    seen.length = 0;
    queue = new BullMqJobQueue(queueBackend(redis.url));
  });
  afterEach(async () => {
    await host?.close(1_000);
    host = null;
    await queue.close();
    await redis.dispose();
  });

  it('reject an enqueue within about a second while it is down, and run again when it is back', async () => {
    await redis.start();
    await enqueueInTheEnd([extractJob(1)]);
    await redis.kill();
    for (let i = 0; i < 3; i += 1) {
      const before = performance.now();
      await expect(queue.enqueue([extractJob(2)])).rejects.toThrow(QueueUnavailable);
      expect(performance.now() - before).toBeLessThan(1_300);
    }
    await redis.start();
    startHost();
    await enqueueInTheEnd([extractJob(3)]);
    await eventually(() => seen.some((job) => job.name === 'extract' && job.sessionKey === 3));
  });

  it('reject an enqueue and report it as unavailable while it is frozen, and run again when it resumes', async () => {
    await redis.start();
    startHost();
    await enqueueInTheEnd([extractJob(1)]);
    await eventually(() => seen.length === 1, { withinMs: 60_000 });
    await queue.ping();
    redis.freeze();
    try {
      await expect(queue.ping()).rejects.toThrow(QueueUnavailable);
      await expect(queue.enqueue([extractJob(2)])).rejects.toThrow(QueueUnavailable);
    } finally {
      redis.thaw();
    }
    await enqueueInTheEnd([extractJob(3)]);
    await eventually(() => seen.some((job) => job.name === 'extract' && job.sessionKey === 3), { withinMs: 60_000 });
    await queue.ping();
  });

  it('reject an enqueue within about a second if it was never up', async () => {
    const before = performance.now();
    await expect(queue.enqueue([extractJob(1)])).rejects.toThrow(QueueUnavailable);
    expect(performance.now() - before).toBeLessThan(1_300);
  });

  it('start before the server does, and recover after it restarts empty', async () => {
    startHost();
    await redis.start();
    await enqueueInTheEnd([extractJob(1)]);
    await eventually(() => seen.length === 1);
    for (let round = 2; round <= 3; round += 1) {
      await redis.kill();
      await redis.start();
      await enqueueInTheEnd([extractJob(round)]);
      await eventually(() => seen.length === round, { what: () => JSON.stringify(seen) });
    }
  });

  it('are lost if it is flushed while they wait, and run when enqueued again', async () => {
    await redis.start();
    const jobs = Array.from({ length: 500 }, (_, i) => extractJob(i + 1));
    await enqueueInTheEnd(jobs);
    await flush();
    startHost();
    await enqueueInTheEnd(jobs);
    await eventually(() => new Set(seen.map((job) => JSON.stringify(job))).size === jobs.length);
  });

  it('recover when it is flushed while they run, including the running ones', async () => {
    await redis.start();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let began = 0;
    startHost(async (job) => {
      began += 1;
      if (began <= 3) await held;
      seen.push(job);
    });
    const jobs = [extractJob(1), extractJob(2), extractJob(3)];
    await enqueueInTheEnd(jobs);
    await eventually(() => began === 3);
    await flush();
    await enqueueInTheEnd(jobs);
    release();
    await eventually(() => seen.length >= 6, { what: () => JSON.stringify(seen) });
    await enqueueInTheEnd([extractJob(4)]);
    await eventually(() => seen.some((job) => job.name === 'extract' && job.sessionKey === 4));
  });

  it('recover when it is flushed repeatedly under load', async () => {
    await redis.start();
    startHost();
    const jobs = Array.from({ length: 300 }, (_, i) => extractJob(i + 1));
    for (let round = 0; round < 10; round += 1) {
      await enqueueInTheEnd(jobs);
      await flush();
    }
    const last = Array.from({ length: 50 }, (_, i) => extractJob(1_000 + i));
    await eventually(async () => {
      await enqueueInTheEnd(last);
      const keys = new Set(seen.map((job) => (job.name === 'extract' ? job.sessionKey : 0)));
      return last.every((job) => job.name === 'extract' && keys.has(job.sessionKey));
    });
  });
});
