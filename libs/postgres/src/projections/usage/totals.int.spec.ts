import { randomUUID } from 'node:crypto';
import type { SessionProgress } from '@turnkeeper/application';
import type { RecordSnapshot } from '@turnkeeper/domain';
import { rowsReadBySteps, type ExplainedRow } from '@turnkeeper/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ReadModelDatabase } from '../../testing/read-model-database.js';
import { recordSnapshot } from '../../testing/record-snapshot.js';
import { PgExtractionClaims } from '../../work/extraction/extraction-claims.js';
import { PgExtractionSchedule } from '../../work/extraction/extraction-schedule.js';
import { PgExtractionStates } from '../../work/extraction/extraction-states.js';
import { PgRecordReader } from '../records/record-reader.js';
import { PgRecordWriter } from '../records/record-writer.js';
import { PgSpentStates } from '../../work/extraction/spent-states.js';
import { STRATEGY_PROGRESS } from '../../work/extraction/strategy-progress.js';
import { PgTotals, TOTALS_OF_MEMORY } from './totals.js';

const TIMING = { turnInterval: 1, quietSeconds: 60 };
const ALL = 1_000_000;
/** The planner may read a small table as a whole. */
const FEW = 200;

describe('stored totals', () => {
  let database: ReadModelDatabase;
  const writer = new PgRecordWriter();
  let extractions: PgExtractionClaims;
  let extractionSchedule: PgExtractionSchedule;
  let extractionStates: PgExtractionStates;
  let totals: PgTotals;
  beforeAll(async () => {
    database = await ReadModelDatabase.create();
    extractions = new PgExtractionClaims(database.dataSource);
    extractionSchedule = new PgExtractionSchedule(database.dataSource);
    extractionStates = new PgExtractionStates(database.dataSource);
    totals = new PgTotals(database.dataSource);
  });
  afterAll(() => database?.close());

  type Memory = Awaited<ReturnType<ReadModelDatabase['memory']>>;
  const snapshot = (parts: Partial<RecordSnapshot> = {}): RecordSnapshot =>
    recordSnapshot(new Date().toISOString(), parts);
  const save = ({ tenantId, memoryId }: Memory, ...records: RecordSnapshot[]) =>
    database.unitOfWork.run((tx) =>
      writer.save(tx, { tenantId, memoryId, eventId: randomUUID(), sessionKey: null }, records),
    );
  const count = ({ tenantId, memoryId }: Memory) => new PgRecordReader(database.dataSource).count(tenantId, memoryId);
  const counted = async ({ memoryId }: Memory) => {
    const [row] = await database.rows(
      `select count(*) filter (where superseded_by is null)::float8 as current,
              count(*) filter (where superseded_by is not null)::float8 as superseded
         from records where memory_id = $1`,
      [memoryId],
    );
    return row;
  };
  const note = (...sessions: readonly (Partial<SessionProgress> & { sessionKey: number })[]) =>
    database.unitOfWork.run((tx) =>
      extractionSchedule.note(
        tx,
        sessions.map((session) => ({ newestSequence: 1, userTurns: 1, flushThrough: null, ...session })),
        TIMING,
      ),
    );
  const extract = async (sessionKey: number, strategyId: string, recordsMade: number): Promise<void> => {
    const claim = (await extractions.claim(sessionKey, strategyId, 30))!;
    await database.unitOfWork.run(async (tx) => {
      const usage = { inputTokens: 10, outputTokens: 3 };
      await extractions.keepAnswer(tx, claim, { eventId: randomUUID(), usage, usable: true });
      await extractions.complete(tx, claim, { toSequence: claim.newestSequence, userTurns: 1, recordsMade }, TIMING);
    });
  };

  it('follow records that are added, superseded, reinstated and deleted', async () => {
    const memory = await database.memory();
    const [one, two, three] = [snapshot(), snapshot({ strategyId: memory.strategyIds[0]! }), snapshot()];
    expect(await count(memory)).toEqual({ current: 0, superseded: 0 });
    await save(memory, one, two, three);
    expect(await count(memory)).toEqual({ current: 3, superseded: 0 });
    await save(memory, { ...one, supersededBy: two.recordId, validTo: one.statedAt });
    expect(await count(memory)).toEqual({ current: 2, superseded: 1 });
    await database.unitOfWork.run((tx) => writer.withdraw(tx, memory.tenantId, [two.recordId]));
    expect(await count(memory)).toEqual({ current: 2, superseded: 0 });
    await database.unitOfWork.run((tx) => writer.remove(tx, memory.tenantId, [three.recordId]));
    expect(await count(memory)).toEqual({ current: 1, superseded: 0 });
    expect(await count({ ...memory, tenantId: randomUUID() })).toEqual({ current: 0, superseded: 0 });
  });

  it('are deleted with their memory, by the next fold', async () => {
    const memory = await database.memory();
    await save(memory, snapshot());
    await totals.fold();
    const rows = async () =>
      (await database.rows('select from strategy_totals where memory_id = $1', [memory.memoryId])).length;
    expect(await rows()).toBeGreaterThan(0);
    await database.rows('delete from records where memory_id = $1', [memory.memoryId]);
    await totals.fold();
    await database.rows('delete from memories where memory_id = $1', [memory.memoryId]);
    await totals.fold();
    expect(await rows()).toBe(0);
  });

  it('are read and folded past rows that another connection holds', async () => {
    const [locked, free] = [await database.memory(), await database.memory()];
    const changed = async ({ memoryId }: Memory) =>
      (await database.rows('select from total_changes where memory_id = $1', [memoryId])).length;
    for (const memory of [locked, free]) await save(memory, snapshot());
    await totals.fold();
    for (const memory of [locked, free]) await save(memory, snapshot());
    const holder = database.dataSource.createQueryRunner();
    await holder.startTransaction();
    try {
      await holder.query('select from strategy_totals where memory_id = $1 for update', [locked.memoryId]);
      expect(await count(locked)).toEqual({ current: 2, superseded: 0 });
      await totals.fold();
      expect([await changed(locked), await changed(free)]).toEqual([1, 0]);
    } finally {
      await holder.rollbackTransaction();
      await holder.release();
    }
    await totals.fold();
    expect([await changed(locked), await count(locked)]).toEqual([0, { current: 2, superseded: 0 }]);
  });

  it('stay exact while records change and totals are folded at the same time', async () => {
    const memory = await database.memory();
    let isDone = false;
    const folding = (async () => {
      while (!isDone) await totals.fold();
    })();
    await Promise.all(
      Array.from({ length: 4 }, async (_, process) => {
        for (let step = 0; step < 15; step += 1) {
          const records = Array.from({ length: 1 + ((process + step) % 4) }, () => snapshot());
          await save(memory, ...records);
          await save(memory, { ...records[0]!, supersededBy: randomUUID(), validTo: records[0]!.statedAt });
          if (step % 3 === 0) {
            await database.unitOfWork.run((tx) => writer.remove(tx, memory.tenantId, [records[0]!.recordId]));
          }
          await count(memory);
        }
      }),
    );
    isDone = true;
    await folding;
    expect(await count(memory)).toEqual(await counted(memory));
  });

  it('include what extraction made and used, also of sessions that are gone', async () => {
    const memory = await database.memory({ strategies: [{}, {}] });
    const [strategyId, other] = memory.strategyIds as [string, string];
    const sessions = [await database.session(memory, 'a'), await database.session(memory, 'b')];
    await note(...sessions);
    for (const { sessionKey } of sessions) await extract(sessionKey, strategyId, 2);
    const progress = () => extractionStates.progress(memory.tenantId, memory.memoryId);
    const expected = [
      { strategyId, pendingSessions: 0, records: 4, modelCalls: 2, inputTokens: 20, outputTokens: 6 },
      { strategyId: other, pendingSessions: 2, records: 0, modelCalls: 0, inputTokens: 0, outputTokens: 0 },
    ];
    expect(await progress()).toMatchObject(expected);
    await database.rows('delete from extraction_states where strategy_id = $1', [strategyId]);
    expect(await progress()).toMatchObject(expected);
  });

  it('go with their memory', async () => {
    const memory = await database.memory();
    const record = snapshot();
    await save(memory, record);
    await count(memory);
    await database.rows('delete from records where memory_id = $1', [memory.memoryId]);
    await database.rows('delete from strategies where memory_id = $1', [memory.memoryId]);
    await database.rows('delete from memories where memory_id = $1', [memory.memoryId]);
    while (await totals.fold());
    for (const table of ['strategy_totals', 'total_changes']) {
      expect(await database.rows(`select from ${table} where memory_id = $1`, [memory.memoryId])).toEqual([]);
    }
  });

  it('are read without the records and states', async () => {
    const memory = await database.memory();
    const { tenantId, memoryId, strategyIds } = memory;
    const size = 2_000;
    await database.rows(
      `insert into extraction_states (session_key, strategy_id, tenant_id, memory_id, actor_id, session_id, records_made)
         select nextval(pg_get_serial_sequence('sessions', 'session_key')), $1, $2, $3, 'ada', 's' || n, 1
           from generate_series(1, $4::int) n`,
      [strategyIds[0], tenantId, memoryId, size],
    );
    await save(memory, ...Array.from({ length: size }, () => snapshot()));
    expect(await count(memory)).toEqual({ current: size, superseded: 0 });
    await database.rows('analyze');
    const rowsRead = async (text: string, values: unknown[]): Promise<number> => {
      const [row] = await database.rows<ExplainedRow>(`explain (analyze, format json) ${text}`, values);
      return rowsReadBySteps(row!).reduce((sum, read) => sum + read);
    };
    expect(await rowsRead(TOTALS_OF_MEMORY, [tenantId, memoryId])).toBeLessThan(FEW);
    expect(await rowsRead(STRATEGY_PROGRESS, [tenantId, memoryId, 'x'])).toBeLessThan(FEW);
  });

  describe('states of sessions whose messages have all expired', () => {
    beforeEach(() => database.rows('truncate extraction_states'));

    const states = async (memory: Memory) =>
      (
        await database.rows<{ session_id: string }>(
          'select session_id from extraction_states where memory_id = $1 order by session_id',
          [memory.memoryId],
        )
      ).map((row) => row.session_id);
    const purge = (sessionKey: number) => database.rows('delete from events where session_key = $1', [sessionKey]);
    const wholePass = async (limit: number): Promise<number> => {
      const spent = new PgSpentStates(database.dataSource);
      const [{ states: left }] = (await database.rows('select count(*)::int as states from extraction_states')) as [
        { states: number },
      ];
      let deleted = 0;
      for (let looked = 0; looked <= left; looked += limit) deleted += await spent.forget(limit);
      return deleted;
    };

    it('are deleted, and the session goes on with its next number', async () => {
      const memory = await database.memory();
      const strategyId = memory.strategyIds[0]!;
      const [gone, unread, readable] = [
        await database.session(memory, 'gone'),
        await database.session(memory, 'unread'),
        await database.session(memory, 'readable'),
      ];
      for (const session of [gone, unread, readable]) await database.say(session, 3);
      await note(...[gone, unread, readable].map(({ sessionKey }) => ({ sessionKey, newestSequence: 3 })));
      for (const { sessionKey } of [gone, readable]) await extract(sessionKey, strategyId, 1);
      for (const { sessionKey } of [gone, unread]) await purge(sessionKey);
      expect(await wholePass(2)).toBe(1);
      expect(await states(memory)).toEqual(['readable', 'unread']);
      expect(await extractionStates.sessionStates(gone)).toMatchObject([{ watermark: 3, status: 'idle' }]);

      // Its tombstones determine the next number; only the new message is read.
      await database.rows(
        `insert into events (partition, position, event_id, tenant_id, memory_id, session_key, sequence, type,
                             schema_version, data, recorded_at)
         select 0, 1000000, gen_random_uuid(), $1, $2, $3, 4, 'message.appended', 1, '{}', now()`,
        [memory.tenantId, memory.memoryId, gone.sessionKey],
      );
      await note({ sessionKey: gone.sessionKey, newestSequence: 4 });
      expect(await extractions.claim(gone.sessionKey, strategyId, 30)).toMatchObject({ newestSequence: 4 });
    });

    it('are kept while a window is parked, and deleted with it once it was dropped', async () => {
      const memory = await database.memory();
      const strategyId = memory.strategyIds[0]!;
      const session = await database.session(memory, 'parked');
      await note({ sessionKey: session.sessionKey });
      const claim = (await extractions.claim(session.sessionKey, strategyId, 30))!;
      const failure = { toSequence: 1, userTurns: 1, code: 'x', cause: null, attempts: 1, keepAnswer: false };
      await database.unitOfWork.run((tx) => extractions.park(tx, claim, failure, TIMING));
      await wholePass(ALL);
      expect(await states(memory)).toEqual(['parked']);
      await database.rows('update parked_windows set dropped_at = now() where session_key = $1', [session.sessionKey]);
      await wholePass(ALL);
      expect(await states(memory)).toEqual([]);
      expect(await database.rows('select from parked_windows where session_key = $1', [session.sessionKey])).toEqual(
        [],
      );
    });
  });
});
