import type { Job } from '@turnkeeper/application';
import {
  createTestDatabase,
  eventually,
  extractJob,
  handleAll,
  testServers,
  type TestDatabase,
} from '@turnkeeper/testing';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BullMqJobQueue, queueBackend, QueueUnavailable, WorkerHost, type WorkerHostObserver } from './index.js';

describe("jobs on BullMQ's Postgres backend", () => {
  let database: TestDatabase;
  let queue: BullMqJobQueue;
  const hosts: WorkerHost[] = [];
  const startHost = (
    handle: (job: Job) => Promise<void>,
    observer: WorkerHostObserver = {},
    extraction = 8,
  ): WorkerHost => {
    const host = new WorkerHost(
      queueBackend(database.url),
      handleAll(handle),
      { concurrency: { extraction } },
      observer,
    );
    hosts.push(host);
    host.start();
    return host;
  };
  const enqueueInTheEnd = (jobs: readonly Job[]): Promise<void> =>
    eventually(() =>
      queue.enqueue(jobs).then(
        () => true,
        () => false,
      ),
    );
  const sql = async (text: string): Promise<void> => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(text);
    await client.end();
  };

  beforeEach(async () => {
    database = await createTestDatabase();
    queue = new BullMqJobQueue(queueBackend(database.url), { timeoutMs: 5_000 });
  });
  afterEach(async () => {
    await Promise.all(hosts.splice(0).map((host) => host.close(1_000)));
    await queue.close();
    await database.drop();
  });

  it('reject an enqueue within about a second if there is no server', async () => {
    const nowhere = new URL(testServers.database());
    nowhere.port = '1';
    const lost = new BullMqJobQueue(queueBackend(nowhere.href));
    const before = performance.now();
    await expect(lost.enqueue([extractJob(1)])).rejects.toThrow(QueueUnavailable);
    expect(performance.now() - before).toBeLessThan(1_300);
    await lost.close();
  });

  it('recover when all connections are terminated', async () => {
    const seen: Job[] = [];
    startHost(async (job) => void seen.push(job));
    await enqueueInTheEnd([extractJob(1)]);
    await eventually(() => seen.length === 1);
    for (let round = 2; round <= 4; round += 1) {
      await sql(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );
      await enqueueInTheEnd([extractJob(round)]);
      await eventually(() => seen.length >= round, { what: () => JSON.stringify(seen) });
    }
  });

  it('recover when the connection is terminated during the schema migration', async () => {
    // BullMQ holds this lock during its schema migration (MIGRATION_ADVISORY_LOCK_KEY).
    const blocker = new pg.Client({ connectionString: database.url });
    await blocker.connect();
    await blocker.query(`select pg_advisory_lock(1112493644, hashtext('turnkeeper_jobs'))`);
    const seen: Job[] = [];
    startHost(async (job) => void seen.push(job));
    const waiting = `select pid from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`;
    await eventually(async () => (await blocker.query(waiting)).rows.length > 0, { what: 'a migration waits' });
    await blocker.query(`select pg_terminate_backend(pid) from (${waiting}) waiting`);
    await blocker.end();
    await enqueueInTheEnd([extractJob(1)]);
    await eventually(() => seen.length === 1);
  });

  it('recover when the tables are truncated while jobs are running', async () => {
    const seen: Job[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let began = 0;
    startHost(async (job) => {
      began += 1;
      if (began === 1) await held;
      seen.push(job);
    });
    await enqueueInTheEnd([extractJob(1)]);
    await eventually(() => began === 1);
    await sql('truncate turnkeeper_jobs.job, turnkeeper_jobs.dedup, turnkeeper_jobs.dedup_next cascade');
    release();
    await enqueueInTheEnd([extractJob(1), extractJob(2)]);
    await eventually(() => seen.length >= 3, { what: () => JSON.stringify(seen) });
  });

  it('lose no job to a deadlock: many producers, two hosts, the same identities in every order', async () => {
    const ROUNDS = 20;
    const IDENTITIES = 40;
    const latest = new Map<number, number>();
    const done = new Map<number, number>();
    const errors: string[] = [];
    const note = (_queue: unknown, error: unknown): void => void errors.push(String(error));
    for (let i = 0; i < 2; i += 1) {
      // Reads the latest value at its start, like a handler that reads rows.
      const handle = async (job: Job): Promise<void> => {
        if (job.name !== 'extract') return;
        const due = latest.get(job.sessionKey) ?? 0;
        await new Promise((resolve) => setTimeout(resolve, 1));
        done.set(job.sessionKey, Math.max(due, done.get(job.sessionKey) ?? 0));
      };
      startHost(handle, { troubled: note, failed: (_job, error) => note('', error) }, 10);
    }
    let refused = 0;
    const producer = async (seed: number): Promise<void> => {
      for (let round = 1; round <= ROUNDS; round += 1) {
        const keys = Array.from({ length: IDENTITIES }, (_, i) => ((i * (2 * seed + 1) + round) % IDENTITIES) + 1);
        for (const key of keys) latest.set(key, (latest.get(key) ?? 0) + 1);
        await queue.enqueue(keys.map((key) => extractJob(key))).catch(async () => {
          refused += 1;
          await enqueueInTheEnd(keys.map((key) => extractJob(key)));
        });
      }
    };
    await Promise.all([0, 1, 2, 3].map(producer));
    const behind = (): number[] => [...latest.keys()].filter((key) => done.get(key) !== latest.get(key));
    await eventually(() => behind().length === 0, { what: () => `${behind().length} behind, ${errors.join('\n')}` });
    console.log(
      `deadlocks: ${errors.filter((e) => e.includes('deadlock')).length}, other errors: ` +
        `${errors.filter((e) => !e.includes('deadlock')).length}, refused enqueues: ${refused}`,
    );
  });
});
