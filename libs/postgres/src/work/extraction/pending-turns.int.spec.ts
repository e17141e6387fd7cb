import { afterAll, beforeAll, expect, it } from 'vitest';
import { ReadModelDatabase } from '../../testing/read-model-database.js';
import { PgExtractionClaims } from './extraction-claims.js';
import { PgExtractionSchedule } from './extraction-schedule.js';

const TIMING = { turnInterval: 1_000, quietSeconds: 60 };

let database: ReadModelDatabase;
let claims: PgExtractionClaims;
let schedule: PgExtractionSchedule;
beforeAll(async () => {
  database = await ReadModelDatabase.create();
  claims = new PgExtractionClaims(database.dataSource);
  schedule = new PgExtractionSchedule(database.dataSource);
});
afterAll(() => database?.close());

/** A session with this many user turns that are not yet dispatched. */
const setUp = async (turns: number) => {
  const { strategyIds, ...memory } = await database.memory();
  const session = await database.session(memory);
  const { sessionKey } = session;
  const strategyId = strategyIds[0]!;
  await database.rows(
    `insert into events (partition, position, event_id, tenant_id, memory_id, session_key, sequence, type, schema_version,
                         data, recorded_at)
     select 0, (select coalesce(max(position), 0) from events) + n, gen_random_uuid(), $1, $2, $3, n, 'message.appended', 1,
            '{"role":"user","content":"hello"}', now() from generate_series(1, $4::int) n`,
    [memory.tenantId, memory.memoryId, sessionKey, turns],
  );
  const note = (newestSequence: number, userTurns: number) =>
    database.unitOfWork.run((tx) =>
      schedule.note(tx, [{ sessionKey, newestSequence, userTurns, flushThrough: null }], TIMING),
    );
  /** Requests extraction of the session and reads it up to this sequence. */
  const read = async (toSequence: number, userTurns: number): Promise<void> => {
    await schedule.request(session, strategyId);
    const claim = await claims.claim(sessionKey, strategyId, 30);
    const done = { toSequence, userTurns, recordsMade: 0 };
    await database.unitOfWork.run((tx) => claims.complete(tx, claim!, done, TIMING));
  };
  const pending = async (): Promise<number | undefined> => {
    const [row] = await database.rows<{ turns: number }>(
      'select pending_turns as turns from extraction_states where session_key = $1',
      [sessionKey],
    );
    return row?.turns;
  };
  return { note, read, pending };
};

it('does not count turns that were read before they were dispatched', async () => {
  const { note, read, pending } = await setUp(6);
  await read(6, 6);
  await note(6, 6);
  expect(await pending()).toBe(0);
  await note(7, 1);
  expect(await pending()).toBe(1);
});

it('counts the unread turns of a partly read page', async () => {
  const { note, read, pending } = await setUp(6);
  await read(4, 4);
  await note(6, 6);
  expect(await pending()).toBe(2);
});

it('resets the count when a window goes beyond it', async () => {
  const { note, read, pending } = await setUp(6);
  await note(3, 3);
  await read(5, 5);
  expect(await pending()).toBe(0);
  await note(6, 3);
  expect(await pending()).toBe(1);
  await read(6, 1);
  expect(await pending()).toBe(0);
});
