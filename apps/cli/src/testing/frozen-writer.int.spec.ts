import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { auditLog, createEventStore, migrateDatabase } from '@turnkeeper/postgres';
import { createTestDatabase, message, newSession } from '@turnkeeper/testing';
import { expect, it } from 'vitest';

const CHILD = fileURLToPath(new URL('../../test/frozen-writer.mjs', import.meta.url));
/** Longer than any append takes, and shorter than any timeout that releases what a stopped process holds. */
const AT_ONCE_MS = 1_500;

const isStopped = (pid: number): boolean => /\) T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

it('holds nothing that an append waits for, wherever a writing process is stopped', async () => {
  const database = await createTestDatabase(migrateDatabase);
  const store = createEventStore({ databaseUrl: database.url });
  const scope = await newSession(store);
  const config = { databaseUrl: database.url, seed: 'frozen', happenings: 40 };
  const child = spawn(process.execPath, [CHILD, JSON.stringify(config)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const exited = once(child, 'close');
  const pid = child.pid as number;
  let stops = 0;
  try {
    while (child.exitCode === null) {
      if (!isStopped(pid)) {
        await sleep(1);
        continue;
      }
      stops += 1;
      const late = sleep(AT_ONCE_MS, 'late');
      const appended = store.append({ ...scope, events: [message()] });
      expect(await Promise.race([appended.then(() => 'appended'), late]), `stop ${stops}`).toBe('appended');
      child.kill('SIGCONT');
    }
    await exited;
    expect(errors).toBe('');
    const happened = JSON.parse(output) as Record<string, number>;
    expect(Object.keys(happened).length, output).toBeGreaterThan(10);
    expect(stops).toBeGreaterThan(200);
    expect((await auditLog(database.url)).findings).toEqual([]);
  } finally {
    child.kill('SIGKILL');
    await store.close();
    await database.drop();
  }
}, 120_000);
