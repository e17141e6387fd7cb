import { randomUUID } from 'node:crypto';
import type { RankableTurns } from '@turnkeeper/application';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PgRecordReader } from '../../index.js';
import { ANY, NAMESPACE, RecordWork } from '../../testing/record-work.js';
import { namespacesInMemory, type NamespacesInMemory } from './held-namespaces.js';

const TEXTS = [
  'User keeps bees behind the vicarage.',
  'User repairs clocks on Sundays.',
  'User is allergic to walnuts.',
  'Assistant recommended a beekeeping course in Leeds.',
  'User sold the bees.',
];
const QUESTIONS = ['Where does the user keep bees?', 'walnuts or clocks', 'user', 'a course in Leeds', 'zeppelin'];

describe('records in memory', () => {
  const work = new RecordWork();
  const { record, source, apply } = work;
  let held: NamespacesInMemory;
  let inMemory: PgRecordReader;
  beforeAll(work.start);
  afterAll(work.close);
  beforeEach(() => {
    work.newMemory();
    held = namespacesInMemory(work.database.dataSource, 8 * 1_048_576);
    inMemory = new PgRecordReader(work.database.dataSource, held);
  });

  const scope = () => ({
    tenantId: work.tenantId,
    memoryId: work.memoryId,
    namespace: NAMESPACE,
    text: '',
    subjects: '',
  });
  const turnsOf = (speakers: readonly string[]) => async (): Promise<RankableTurns> => ({
    speakers,
    rank: () =>
      Promise.resolve({
        turns: [1, 2, 3].map((sequence) => ({ sessionKey: 7, sequence, raw: 1 / sequence })),
        ...{ weight: 1.4, scopeTurns: 600, comparedMeaning: false },
      }),
  });
  const search = async (
    reader: PgRecordReader,
    text: string,
    includeSuperseded: boolean,
    speakers: readonly string[] = [],
  ) => {
    const query = { ...ANY, text, includeSuperseded, turns: turnsOf(speakers) };
    const hits = await reader.search(work.tenantId, work.memoryId, NAMESPACE, query);
    return hits.map((hit) => ({ ...hit, score: hit.score.toFixed(9) }));
  };
  /** Searches until the records are in memory. */
  const load = () =>
    vi.waitUntil(async () => {
      await search(inMemory, 'load', false);
      return held.peek(scope()) !== undefined;
    });
  /** Both readers find the same, and the one in memory without searching the records in Postgres. */
  const expectSame = async (speakers: readonly string[] = []) => {
    const opened = vi.spyOn(held, 'open');
    const searched = vi.spyOn(held, 'searched');
    for (const question of QUESTIONS) {
      for (const includeSuperseded of [false, true]) {
        expect(await search(inMemory, question, includeSuperseded, speakers)).toEqual(
          await search(work.reader, question, includeSuperseded, speakers),
        );
      }
    }
    expect(opened).toHaveBeenCalled();
    expect(searched).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  };
  const fill = async () => {
    const records = TEXTS.map((text, n) => record(text, { sources: [source(text, n + 1)] }));
    await apply({ records });
    return records;
  };

  it('are found with the same scores as records in Postgres', async () => {
    await fill();
    await load();
    await expectSame();
    expect(await search(inMemory, 'bees', false)).not.toEqual([]);
  });

  it('include records that were added since', async () => {
    await fill();
    await load();
    await apply({ records: [record('User breeds bees of the Buckfast kind.', { sources: [source('…', 2)] })] });
    await expectSame();
  });

  it('do not include what was superseded or deleted since', async () => {
    const [keeps, repairs, , , sold] = await fill();
    await load();
    await apply({ superseded: [{ recordId: keeps!.recordId, by: sold!.recordId }] });
    await expectSame();
    await work.database.dataSource.query('delete from records where record_id = $1', [repairs!.recordId]);
    await expectSame();
  });

  it('do not cite sources that were deleted since', async () => {
    const [keeps] = await fill();
    await load();
    await work.database.dataSource.query('delete from record_sources where record_id = $1', [keeps!.recordId]);
    await expectSame();
  });

  it('are all loaded, also if many were created at the same time', async () => {
    await work.database.dataSource.query(
      `insert into records (record_id, tenant_id, memory_id, namespace, text, fact_key, extractor, event_id, created_at,
         updated_at, stated_at)
       select gen_random_uuid(), $1, $2, $3, 'User planted tree ' || n, n::text, 'offline-rules@1', gen_random_uuid(),
         timestamptz '2026-01-01T00:00:00.000001Z' + n / 700 * interval '1 microsecond', now(), now()
       from generate_series(1, 1600) n`,
      [work.tenantId, work.memoryId, NAMESPACE],
    );
    await load();
    expect(held.peek(scope())?.records.size).toBe(1_600);
    await expectSame();
  });

  it('ignore the names of speakers, also when these change', async () => {
    await fill();
    await load();
    await expectSame(['vicarage']);
    await expectSame(['clocks', 'bees']);
  });

  it('belong to one tenant', async () => {
    await fill();
    await load();
    expect(await inMemory.search(randomUUID(), work.memoryId, NAMESPACE, { ...ANY, text: 'bees' })).toEqual([]);
  });
});
