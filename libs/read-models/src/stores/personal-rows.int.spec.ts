import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReadModelDatabase } from '../testing/read-model-database.js';
import { PgPersonalRows, SESSION_TABLES } from './personal-rows.js';

/** Erased by the log's own functions, as part of records, or by what they refer to. */
const ELSEWHERE = [
  'connector_instances',
  'sessions',
  'events',
  'tombstones',
  'closed_sessions',
  'records',
  'record_sources',
];

describe('rows that belong to an actor or a session', () => {
  let database: ReadModelDatabase;
  beforeAll(async () => {
    database = await ReadModelDatabase.create();
  });
  afterAll(() => database?.close());

  it('are in no table that an erasure does not know', async () => {
    const tables = await database.rows<{ table_name: string }>(
      `select distinct table_name from information_schema.columns
        where table_schema = 'public' and column_name in ('actor_id', 'session_id', 'session_key')`,
    );
    const known = new Set<string>([...SESSION_TABLES, ...ELSEWHERE]);
    expect(tables.map(({ table_name }) => table_name).filter((name) => !known.has(name))).toEqual([]);
  });

  it('go with their session, or with their actor, and with nobody else', async () => {
    const memory = await database.memory();
    const [strategyId] = memory.strategyIds;
    const monday = await database.session(memory, 'monday');
    const tuesday = await database.session(memory, 'tuesday');
    for (const { sessionKey, sessionId } of [monday, tuesday]) {
      await database.rows(
        `insert into extraction_states (session_key, strategy_id, tenant_id, memory_id, actor_id, session_id, last_code)
         values ($1, $2, $3, $4, 'ada', $5, 'x')`,
        [sessionKey, strategyId, memory.tenantId, memory.memoryId, sessionId],
      );
    }
    const rows = new PgPersonalRows(database.dataSource);
    const left = async () =>
      (
        await database.rows<{ session_id: string }>(`select session_id from extraction_states where memory_id = $1`, [
          memory.memoryId,
        ])
      ).map((row) => row.session_id);
    await database.unitOfWork.run((tx) =>
      rows.eraseSessions(tx, { ...monday, tenantId: '00000000-0000-4000-8000-000000000000' }, [monday.sessionKey]),
    );
    expect(await left()).toHaveLength(2);
    await database.unitOfWork.run((tx) => rows.eraseSessions(tx, monday, [monday.sessionKey]));
    expect(await left()).toEqual(['tuesday']);
    await database.unitOfWork.run((tx) => rows.eraseSessions(tx, { ...monday, sessionId: null }, []));
    expect(await left()).toEqual([]);
  });
});
