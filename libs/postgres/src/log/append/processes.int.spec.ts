import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, eventually, newSession, type TestDatabase } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLog, createEventStore, migrateDatabase, type PgEventStore } from '../../index.js';

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

interface Summary {
  readonly appended: number;
  readonly conflicts: number;
}

/** Another appending process and its output so far. */
class Appender {
  readonly acknowledged: string[] = [];
  summary: Summary | null = null;
  stderr = '';
  private readonly child: ChildProcess;
  private readonly exited: Promise<unknown>;
  private readonly read: Promise<void>;

  constructor(config: object) {
    this.child = spawn(process.execPath, [pathOf('../../../test/appender-process.mjs'), JSON.stringify(config)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.exited = once(this.child, 'exit');
    this.child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.read = this.readLines();
  }

  async finished(): Promise<Summary> {
    await Promise.all([this.exited, this.read]);
    if (this.summary === null) throw new Error(`The appender failed: ${this.stderr}`);
    return this.summary;
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await Promise.all([this.exited, this.read]);
  }

  private async readLines(): Promise<void> {
    for await (const line of createInterface({ input: this.child.stdout! })) {
      const said = JSON.parse(line) as string[] | Summary;
      if (Array.isArray(said)) this.acknowledged.push(...said);
      else this.summary = said;
    }
  }
}

describe('concurrently appending processes', () => {
  let database: TestDatabase;
  let store: PgEventStore;
  let config: object;

  beforeAll(async () => {
    database = await createTestDatabase(migrateDatabase);
    store = createEventStore({ databaseUrl: database.url });
    const { tenantId, memoryId } = await newSession(store);
    config = { databaseUrl: database.url, tenantId, memoryId, sessions: 12, inFlight: 24, lanes: 2 };
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  const storedIds = async (): Promise<Set<string>> => {
    const ids = new Set<string>();
    for (let after = 0; ;) {
      const page = await store.readReferences(after, 10_000);
      if (page.length === 0) return ids;
      for (const reference of page) ids.add(reference.eventId);
      after = page.at(-1)!.position;
    }
  };

  it('keep positions and sequences dense over 100,000 events in shared sessions, and no reader misses an event', async () => {
    const before = await store.headPosition();
    const writers = [new Appender({ ...config, events: 50_000 }), new Appender({ ...config, events: 50_000 })];
    let writing = true;
    const reading = (async () => {
      let last = before;
      for (;;) {
        const done = !writing;
        const page = await store.readReferences(last, 2_000);
        for (const reference of page) {
          expect(reference.position).toBe(last + 1);
          last = reference.position;
        }
        if (done && page.length === 0) return last;
      }
    })();
    const summaries = await Promise.all(writers.map((writer) => writer.finished())).finally(() => (writing = false));
    expect(summaries.map((summary) => summary.appended)).toEqual([50_000, 50_000]);
    // Without conflicts, the race under test did not happen.
    expect(summaries[0]!.conflicts + summaries[1]!.conflicts).toBeGreaterThan(0);
    expect(await reading).toBe(before + 100_000);
    expect(await auditLog(database.url)).toMatchObject({ head: before + 100_000, findings: [] });
  });

  it('lose no acknowledged event when one of them is killed', async () => {
    const before = await store.headPosition();
    const victim = new Appender({ ...config, events: 1_000_000 });
    const survivor = new Appender({ ...config, events: 5_000 });
    await eventually(() => victim.acknowledged.length > 2_000);
    await victim.kill();
    await survivor.finished();
    const stored = await storedIds();
    expect(victim.summary).toBeNull();
    for (const eventId of [...victim.acknowledged, ...survivor.acknowledged]) expect(stored.has(eventId)).toBe(true);
    const audit = await auditLog(database.url);
    expect(audit.findings).toEqual([]);
    expect(audit.head).toBeGreaterThanOrEqual(before + victim.acknowledged.length + 5_000);
  });
});
