import { RebuildProjections } from '@turnkeeper/application';
import {
  createDataSource,
  createEventStore,
  createShadowStores,
  migrateDatabase,
  PgRecordReader,
  PgShadowProjections,
  PROJECTION_TABLES,
  rowsOf,
} from '@turnkeeper/postgres';
import { createTestDatabase, type TestDatabase } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RandomLife } from '../testing/random-life.js';
import { createRebuild, rebuild as command, recount } from './rebuild.js';

/** The log's own tables, which a rebuild reads. */
const LOG_TABLES = [
  ...['events', 'sessions', 'tombstones', 'closed_sessions', 'memory_gates', 'expiry_changes', 'relay_cursor'],
  ...['question_cursor', 'turn_segments', 'turn_vectors', 'embedding_models'],
  'record_vectors',
  ...['buried_positions', 'buried_sequences', 'session_activity', 'erased_event_ids'],
  ...['usage_changes', 'actor_counts', 'memory_counts'],
];

/**
 * Tables with state that is not in the log. A rebuild leaves them unchanged.
 *
 * The ranges read of a session are also in the log, in `records.extracted`. Attempts, leases and due times of
 * `extraction_states` are not.
 */
const STATE_TABLES = `
  dispatch_cursor deferred_progress extraction_states parked_windows agent_idle_watches parked_items parked_notes
  vendor_signatures audit_log relay_pages record_deletions record_deletion_items trace_contexts activity_samples
  total_changes strategy_totals
  graph_threads graph_checkpoints graph_blobs graph_writes graph_items
  webhook_endpoints webhook_deliveries webhook_attempts
  connectors connector_instances connector_notices connector_stamps connector_calls replaced_instances
  tenants api_keys signing_keys model_usage strategy_model_usage rate_budgets idempotent_requests
  vendor_apps vendor_agents`
  .trim()
  .split(/\s+/);

describe('a rebuild from the log', () => {
  let database: TestDatabase;
  let dataSource: ReturnType<typeof createDataSource>;
  let eventStore: ReturnType<typeof createEventStore>;
  beforeAll(async () => {
    database = await createTestDatabase(migrateDatabase);
    dataSource = createDataSource({ url: `${database.url}?options=-c%20synchronous_commit%3Doff`, poolSize: 6 });
    await dataSource.initialize();
    eventStore = createEventStore({ databaseUrl: database.url, readers: 4 });
  });
  afterAll(async () => {
    await eventStore.close();
    await dataSource.destroy();
    await database.drop();
  });

  const rebuild = (onlyCompare = false) => createRebuild(dataSource, eventStore).execute({ onlyCompare });
  const rows = <T>(text: string, values: unknown[] = []) => rowsOf<T>(dataSource, text, values);
  /** @param meanwhile happens after everything was read that the log had before */
  const rebuildWhile = (meanwhile: () => Promise<void>) => {
    const stores = createShadowStores(dataSource);
    const replace = stores.shadow.replace.bind(stores.shadow);
    stores.shadow.replace = async (...replacement) => {
      await meanwhile();
      return replace(...replacement);
    };
    return new RebuildProjections({ eventStore, ...stores }).execute();
  };

  it.each(Array.from({ length: 6 }, (_, index) => `life ${index}`))(
    'gives equal hashes after any history: %s',
    async (seed) => {
      const life = new RandomLife(dataSource, eventStore, seed);
      await life.begin();
      const happened = await life.live(120);
      const report = await rebuild(true);
      expect({ seed, happened, drift: report.drift }).toMatchObject({ drift: [] });
      expect(report.rebuilt).toEqual(report.before);
    },
  );

  it('finds and corrects rows that were changed by hand', async () => {
    const life = new RandomLife(dataSource, eventStore, 'spoilt');
    await life.begin(1);
    await life.tell(['User likes tea.', 'User lives in Hue.', 'User has a dog.']);
    const before = (await rebuild(true)).rebuilt;
    const spoilt = (table: string, change: string) =>
      rows(`${change} tenant_id = $1 returning '${table}'`, [life.tenantId]);
    await spoilt('records', `update records set text = 'User likes coffee.' where text = 'User likes tea.' and`);
    await spoilt('records', `delete from records where text = 'User has a dog.' and`);
    await spoilt('strategies', `update strategies set version = 7 where`);
    await rows(
      `insert into agents select gen_random_uuid(), $1, gen_random_uuid(), 'a', 's', 'ghost', 'v', 'RUNNING', 1, null, '[]',
         '{}', '{}', 1, now()`,
      [life.tenantId],
    );
    const { drift } = await rebuild(true);
    expect(drift).toEqual([
      { table: 'strategies', missing: 0, surplus: 0, changed: 1 },
      { table: 'agents', missing: 0, surplus: 1, changed: 0 },
      { table: 'records', missing: 1, surplus: 0, changed: 1 },
      { table: 'record_sources', missing: 1, surplus: 0, changed: 0 },
    ]);
    expect((await rebuild(true)).drift).toEqual(drift); // --check changes nothing
    expect((await rebuild()).drift).toEqual(drift);
    const after = await rebuild(true);
    expect(after.drift).toEqual([]);
    expect(after.before).toEqual(before);
  });

  it('compares the index of turns too, and reports it in machine-readable form', async () => {
    const run = async (...args: string[]) => {
      const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
      vi.spyOn(process.stderr, 'write').mockReturnValue(true);
      try {
        await command(database.url, ['--json', ...args]);
        const report = JSON.parse(String(written.mock.calls.at(-1)?.[0])) as { drift: unknown[] };
        return { drift: report.drift, exitCode: process.exitCode };
      } finally {
        process.exitCode = undefined;
        vi.restoreAllMocks();
      }
    };
    const life = new RandomLife(dataSource, eventStore, 'turns');
    await life.begin(1);
    await life.tell(['User likes tea.']);
    await run();
    expect(await run('--check')).toEqual({ drift: [], exitCode: undefined });
    const spoilt = await rows('update turn_segments set words = words + 1 where tenant_id = $1 returning 1', [
      life.tenantId,
    ]);
    expect(spoilt.length).toBeGreaterThan(0);
    const drift = [expect.objectContaining({ table: 'turns', missing: 0, surplus: 0 })];
    expect(await run('--check')).toEqual({ drift, exitCode: 3 });
    expect(await run()).toEqual({ drift, exitCode: undefined });
    expect(await run('--check')).toEqual({ drift: [], exitCode: undefined });
  });

  it('makes the stored counts again', async () => {
    const life = new RandomLife(dataSource, eventStore, 'counted');
    await life.begin(1);
    await life.tell(['User likes tea.', 'User lives in Hue.']);
    const memories = await rows<{ memory_id: string; tenant_id: string }>(
      `select memory_id, tenant_id from memories where status = 'ACTIVE' order by memory_id`,
    );
    const counts = async () =>
      Promise.all(
        memories.map(async ({ tenant_id: tenantId, memory_id: memoryId }) => [
          await eventStore.directory.usage(tenantId, memoryId),
          await new PgRecordReader(dataSource).count(tenantId, memoryId),
        ]),
      );
    const before = await counts();
    await rows('update memory_counts set messages = messages + 7, actors = 0');
    await rows('update session_activity set messages = messages + 7');
    await rows('update strategy_totals set current_records = current_records + 7, superseded_records = 3');
    expect(await counts()).not.toEqual(before);
    await recount(dataSource, eventStore);
    expect(await counts()).toEqual(before);
  });

  it('restores everything that was deleted, and leaves alone what is not in the log', async () => {
    const life = new RandomLife(dataSource, eventStore, 'thrown away');
    await life.begin(1);
    await life.tell(['User likes tea.']);
    const states = await rows('select * from extraction_states order by session_key, strategy_id');
    const { rebuilt } = await rebuild(true);
    await rows('truncate record_vectors, record_sources, records, rolling_sessions');
    await rows(`insert into embedding_models (model, dimensions, records_position) values ('m', 8, 5)`);
    await rows('delete from agents');
    await rebuild();
    expect((await rebuild(true)).before).toEqual(rebuilt);
    expect(await rows('select * from extraction_states order by session_key, strategy_id')).toEqual(states);
    // The records that were replaced are embedded again.
    expect(await rows('select records_position::int as at from embedding_models')).toEqual([{ at: 0 }]);
  });

  it('runs next to readers, writers and erasures, and never restores what they erased', async () => {
    const life = new RandomLife(dataSource, eventStore, 'meanwhile');
    await life.begin();
    await life.live(40);
    const state = { living: true };
    const reads: number[] = [];
    const reading = (async () => {
      while (state.living) reads.push((await rows('select count(*) from records')).length);
    })();
    // The load continues until three rebuilds have finished next to it, however slow the machine is.
    let rebuilds = 0;
    const living = (async () => {
      while (rebuilds < 3) await life.live(10);
    })().finally(() => {
      state.living = false;
    });
    while (rebuilds < 3) {
      expect((await rebuild()).drift).toEqual([]);
      rebuilds += 1;
    }
    await Promise.all([living, reading]);
    expect(reads.length).toBeGreaterThan(rebuilds);
    expect((await rebuild(true)).drift).toEqual([]);
  });

  it('does not restore records whose withdrawal was erased with their actor while it ran', async () => {
    const life = new RandomLife(dataSource, eventStore, 'withdrawn, then erased');
    await life.begin(1);
    await life.tell(['User likes tea.', 'User has a dog.']);
    const [told] = await rows<{ memory_id: string; actor_id: string; record_id: string }>(
      'select memory_id, actor_id, record_id from records where tenant_id = $1 and text = $2',
      [life.tenantId, 'User likes tea.'],
    );
    const { memory_id: memoryId, actor_id: actorId, record_id: recordId } = told!;
    const { drift } = await rebuildWhile(async () => {
      await life.deleteRecord(memoryId, recordId);
      await life.eraseActor(memoryId, actorId);
    });
    expect(drift).toEqual([]);
    expect(await rows('select 1 from records where tenant_id = $1', [life.tenantId])).toEqual([]);
  });

  describe('in a namespace that two actors share', () => {
    const given = async () => {
      const life = new RandomLife(dataSource, eventStore, 'shared');
      await life.begin(1, '/facts');
      const records = () =>
        rows<{ memory_id: string; record_id: string; text: string; actor_id: string; superseded_by: string | null }>(
          'select memory_id, record_id, text, actor_id, superseded_by from records where tenant_id = $1 order by text desc',
          [life.tenantId],
        );
      return { life, records };
    };

    /** Ben's home was superseded by Ada's. Deleting hers makes his current again, which is told in her stream. */
    const homes = async () => {
      const { life, records } = await given();
      await life.tell(['User lives in Hue.'], 'ben');
      await life.tell(['User lives in Hanoi.'], 'ada');
      const [bens, adas] = await records();
      expect([bens?.text, adas?.text]).toEqual(['User lives in Hue.', 'User lives in Hanoi.']);
      expect(bens?.superseded_by).toBe(adas?.record_id);
      const { memory_id: memoryId, record_id: recordId } = adas!;
      return {
        deleteAdas: () => life.deleteRecord(memoryId, recordId),
        eraseAda: () => life.eraseActor(memoryId, 'ada'),
        expectBens: async () => {
          expect(await records()).toEqual([{ ...bens, superseded_by: null }]);
          expect((await rebuild(true)).drift).toEqual([]);
        },
      };
    };

    it('an erasure keeps the record that the erased stream told of', async () => {
      const { deleteAdas, eraseAda, expectBens } = await homes();
      await deleteAdas();
      await eraseAda();
      await expectBens();
    });

    it('and so does one beside a rebuild', async () => {
      const { deleteAdas, eraseAda, expectBens } = await homes();
      await deleteAdas();
      await rebuildWhile(eraseAda);
      await expectBens();
    });

    it('and one that erases beside a rebuild what superseded the record', async () => {
      const { deleteAdas, eraseAda, expectBens } = await homes();
      await rebuildWhile(async () => {
        await deleteAdas();
        await eraseAda();
      });
      await expectBens();
    });

    it("an erasure leaves no quote in what was told in the other actor's stream", async () => {
      const { life, records } = await given();
      for (const [actorId, sessionId] of [
        ['ben', 'monday'],
        ['ada', 'monday'],
        ['ben', 'tuesday'],
      ] as const) {
        await life.tell(['User has a dog.'], actorId, sessionId);
      }
      const [record] = await records();
      const { memory_id: memoryId, record_id: recordId } = record!;
      const quotes = async () =>
        (
          await rows<{ actor_id: string }>(
            `select s.actor_id from record_sources r join sessions s using (session_key)
              where r.record_id = $1 order by r.session_key`,
            [recordId],
          )
        ).map((row) => row.actor_id);
      const [adas] = await rows<{ event_id: string }>(
        `select event_id from record_sources r join sessions s using (session_key)
          where r.record_id = $1 and s.actor_id = 'ada'`,
        [recordId],
      );
      const told = () =>
        rows('select 1 from events where memory_id = $1 and data::text like $2', [memoryId, `%${adas!.event_id}%`]);
      expect(await quotes()).toEqual(['ben', 'ada', 'ben']);
      await life.eraseSession(memoryId, 'ben', 'monday');
      expect(await quotes()).toEqual(['ada', 'ben']);
      expect((await told()).length).toBeGreaterThan(0);
      await life.eraseActor(memoryId, 'ada');
      expect(await told()).toEqual([]);
      expect(await quotes()).toEqual(['ben']);
      expect(await records()).toEqual([record]);
      expect((await rebuild(true)).drift).toEqual([]);
    });
  });

  it('does not block readers while the tables are swapped', async () => {
    const life = new RandomLife(dataSource, eventStore, 'readers');
    await life.begin(1);
    await life.tell(['User likes tea.']);
    await rows(`update records set text = 'spoilt' where tenant_id = $1`, [life.tenantId]);
    const shadow = new PgShadowProjections(dataSource);
    await shadow.open();
    try {
      await shadow.replace(
        async () => {
          const seen = await rows<{ text: string }>('select text from records where tenant_id = $1', [life.tenantId]);
          expect(seen).toEqual([{ text: 'spoilt' }]);
        },
        { onlyCompare: true },
      );
    } finally {
      await shadow.close();
    }
    await rebuild();
  });

  it('runs once at a time, and cleans up after one that died', async () => {
    const shadow = new PgShadowProjections(dataSource);
    await shadow.open();
    await expect(rebuild()).rejects.toMatchObject({ code: 'rebuild.running' });
    await shadow.close();
    await rows('create schema turnkeeper_rebuild');
    await rebuild();
    expect(await rows(`select 1 from pg_namespace where nspname = 'turnkeeper_rebuild'`)).toEqual([]);
  });

  it('classifies every table: derived from the log, or independent state', async () => {
    const tables = await rows<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename not like '%migrations'`,
    );
    const known = [...PROJECTION_TABLES.map(({ name }) => name), ...STATE_TABLES, ...LOG_TABLES];
    expect(tables.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  });
});
