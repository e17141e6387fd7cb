import { randomUUID } from 'node:crypto';
import type { Job, JobHandler, JobHandlers, JobQueue } from '@turnkeeper/application';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.js';

/** A queue with hosts that process it as separate processes would. */
export interface JobsUnderTest {
  readonly queue: JobQueue;
  /** Starts a host. Resolves when it takes jobs. */
  startHost(handlers: JobHandlers): Promise<{ close(deadlineMs: number): Promise<void> }>;
  close(): Promise<void>;
}

/** Handlers that pass every job to one function. */
export const handleAll = (handle: JobHandler): JobHandlers => ({ extract: handle, deliver: handle });

export const extractJob = (sessionKey: number, strategyId = 'a3f0'): Job => ({
  name: 'extract',
  sessionKey,
  strategyId,
});
export const deliverJob = (deliveryId = randomUUID()): Job => ({ name: 'deliver', deliveryId });

/** Contract of every job queue. `make` returns an empty one without a host. */
export const jobQueueLaws = (name: string, make: () => Promise<JobsUnderTest>): void => {
  describe(`${name} as a job queue`, () => {
    let jobs: JobsUnderTest;
    beforeEach(async () => {
      jobs = await make();
    });
    afterEach(() => jobs.close());

    it('runs every enqueued job with its payload', async () => {
      const seen: Job[] = [];
      const all = [
        ...Array.from({ length: 100 }, (_, i) => extractJob(i + 1)),
        ...Array.from({ length: 100 }, () => deliverJob()),
      ];
      await jobs.queue.enqueue(all.slice(0, 150));
      await jobs.startHost(handleAll(async (job) => void seen.push(job)));
      await jobs.queue.enqueue(all.slice(150));
      await eventually(() => seen.length >= all.length, { what: () => `${seen.length} of ${all.length}` });
      const text = (list: readonly Job[]) => list.map((job) => JSON.stringify(job, Object.keys(job).sort())).sort();
      expect(text(seen)).toEqual(text(all));
    });

    it('takes nothing from an empty queue', async () => {
      await jobs.queue.enqueue([]);
    });

    it('runs a job once if it was enqueued repeatedly while waiting', async () => {
      const runs: Job[] = [];
      const twin = [extractJob(1), extractJob(2), extractJob(1, 'other'), extractJob(1)];
      for (let i = 0; i < 5; i += 1) await jobs.queue.enqueue(twin);
      await jobs.startHost(handleAll(async (job) => void runs.push(job)));
      const last = deliverJob();
      await jobs.queue.enqueue([last]);
      await eventually(() => runs.length >= 4);
      const later = randomUUID();
      await jobs.queue.enqueue([deliverJob(later)]);
      await eventually(() => runs.some((job) => job.name === 'deliver' && job.deliveryId === later));
      expect(runs.filter(({ name: job }) => job === 'extract')).toHaveLength(3);
    });

    it('runs a job once more if it was enqueued while running, and never concurrently', async () => {
      let running = 0;
      let most = 0;
      let runs = 0;
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      await jobs.startHost(
        handleAll(async () => {
          runs += 1;
          running += 1;
          most = Math.max(most, running);
          if (runs === 1) await held;
          running -= 1;
        }),
      );
      await jobs.queue.enqueue([extractJob(1)]);
      await eventually(() => running === 1);
      for (let i = 0; i < 5; i += 1) await jobs.queue.enqueue([extractJob(1)]);
      release();
      await eventually(() => runs === 2);
      await jobs.queue.enqueue([extractJob(1)]);
      await eventually(() => runs === 3);
      expect(most).toBe(1);
    });

    it('runs a job again if it is enqueued after completion', async () => {
      let runs = 0;
      await jobs.startHost(handleAll(async () => void (runs += 1)));
      for (let i = 1; i <= 3; i += 1) {
        await jobs.queue.enqueue([extractJob(1)]);
        await eventually(() => runs === i);
      }
    });

    it('survives throwing handlers: retries, gives up, continues with other jobs, and accepts the job again', async () => {
      const attempts = new Map<string, number>();
      let broken = true;
      await jobs.startHost(
        handleAll(async (job) => {
          const key = JSON.stringify(job);
          attempts.set(key, (attempts.get(key) ?? 0) + 1);
          if (job.name === 'extract' && broken) throw new Error('a bug');
        }),
      );
      const bad = extractJob(1);
      const good = deliverJob();
      await jobs.queue.enqueue([bad, good]);
      await eventually(() => attempts.get(JSON.stringify(bad)) === 3 && attempts.get(JSON.stringify(good)) === 1);
      broken = false;
      await eventually(async () => {
        await jobs.queue.enqueue([bad]);
        return (attempts.get(JSON.stringify(bad)) ?? 0) >= 4;
      });
    });

    it('shares the work between hosts, each job on one of them', async () => {
      const hosts = [new Set<string>(), new Set<string>()];
      const all = Array.from({ length: 200 }, () => deliverJob());
      for (const seen of hosts) {
        await jobs.startHost(
          handleAll(async (job) => {
            if (job.name === 'deliver') seen.add(job.deliveryId);
            await new Promise((resolve) => setTimeout(resolve, 1));
          }),
        );
      }
      await jobs.queue.enqueue(all);
      await eventually(() => hosts.reduce((sum, seen) => sum + seen.size, 0) >= all.length);
      expect(new Set(hosts.flatMap((seen) => [...seen])).size).toBe(all.length);
    });
  });
};
