import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, extractJob, testServers, type TestDatabase } from '@turnkeeper/testing';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BullMqJobQueue, queueBackend, type WorkerHostOptions } from './index.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const backends = [
  { kind: 'Redis', url: () => testServers.redis() },
  { kind: 'Postgres', url: () => database.url },
] as const;

describe.each(backends)('jobs of a killed process on $kind', ({ url }) => {
  const program = fileURLToPath(new URL('../dist/fixtures/killable-host.js', import.meta.url));
  const children = new Set<ChildProcess>();
  let namespace: string;
  let queue: BullMqJobQueue;
  beforeAll(async () => {
    const root = fileURLToPath(new URL('..', import.meta.url));
    await build({
      root,
      configFile: false,
      logLevel: 'silent',
      build: { ssr: 'fixtures/killable-host.mjs', outDir: 'dist/fixtures', emptyOutDir: false, target: 'node20' },
    });
  });
  beforeEach(() => {
    namespace = `jobs_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
    queue = new BullMqJobQueue(queueBackend(url(), { namespace }), { timeoutMs: 5_000 });
  });
  afterEach(async () => {
    for (const child of children) await kill(child);
    await queue.close();
  });

  /** Starts a host in its own process. */
  const startProcess = async (options: WorkerHostOptions = {}): Promise<ChildProcess> => {
    const child = fork(program, [url(), namespace, JSON.stringify(options)]);
    children.add(child);
    const died = once(child, 'exit').then(([code]) => Promise.reject(new Error(`The process ended with ${code}.`)));
    await Promise.race([once(child, 'message'), died]);
    died.catch(() => undefined);
    return child;
  };
  const kill = async (child: ChildProcess): Promise<void> => {
    children.delete(child);
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  /** Resolves to the first of these processes that starts a job. */
  const nextStart = (processes: readonly ChildProcess[]): Promise<ChildProcess> =>
    new Promise((resolve) => {
      for (const child of processes) {
        child.once('message', (message: object) => {
          if ('started' in message) resolve(child);
        });
      }
    });

  it('restart elsewhere within 8 s', async () => {
    const first = await startProcess();
    const begun = nextStart([first]);
    await queue.enqueue([extractJob(1)]);
    await begun;
    const second = await startProcess();
    const again = nextStart([second]);
    const killedAt = performance.now();
    await kill(first);
    await again;
    const took = performance.now() - killedAt;
    console.log(`work of a killed process started again after ${Math.round(took)} ms`);
    expect(took).toBeLessThan(8_000);
  });

  it('finish eventually, even after twenty kills in a row', { timeout: 120_000 }, async () => {
    // A short lock only speeds up the test.
    const options: WorkerHostOptions = { lockMs: 400, stalledIntervalMs: 200 };
    let standby = await startProcess(options);
    let begun = nextStart([standby]);
    await queue.enqueue([extractJob(1)]);
    for (let kills = 0; kills < 20; kills += 1) {
      const holder = await begun;
      standby = await startProcess(options);
      begun = nextStart([standby]);
      await kill(holder);
    }
    const last = await begun;
    const finished = once(last, 'message');
    last.send('finish');
    expect((await finished)[0]).toEqual({ finished: extractJob(1) });
  });
});
