import { afterAll, beforeAll, expect, it } from 'vitest';
import { ReadModelDatabase } from '../testing/read-model-database.js';
import { PgTraceContexts } from './trace-contexts.js';

let database: ReadModelDatabase;
beforeAll(async () => {
  database = await ReadModelDatabase.create();
});
afterAll(() => database?.close());

const span = (n: number): string =>
  `00-0af7651916cd43dd8448eb211c80319c-b7ad6b71692033${String(n).padStart(2, '0')}-01`;

it('keeps the first context of an event, finds those of unread turns, newest first, and forgets old ones', async () => {
  const contexts = new PgTraceContexts(database.dataSource);
  const memory = await database.memory();
  const session = await database.session(memory);
  const [strategyId = ''] = memory.strategyIds;
  await database.say(session, 5);
  await database.rows(
    `insert into extraction_states (session_key, strategy_id, tenant_id, memory_id, actor_id, session_id, watermark)
     values ($1, $2, $3, $4, 'ada', 'thread', 2)`,
    [session.sessionKey, strategyId, memory.tenantId, memory.memoryId],
  );
  const events = await database.rows<{ event_id: string }>('select event_id from events order by position');
  const ids = events.map((row) => row.event_id);
  // More calls than one statement can take: all must be stored when their own promise resolves.
  await Promise.all(ids.map((id, index) => contexts.note([id], span(index + 1))));
  expect((await contexts.find(ids)).size).toBe(5);
  await contexts.note([ids[4]!], span(99));
  const known = { memoryId: memory.memoryId, sessionId: 'thread' };
  const work = await contexts.ofSession(session.sessionKey, strategyId);
  expect(work).toEqual({ ...known, causes: [span(5), span(4), span(3)] });
  await database.rows(`update trace_contexts set noted_at = now() - interval '2 hours' where event_id <> $1`, [ids[3]]);
  await contexts.purge();
  expect(await contexts.ofSession(session.sessionKey, strategyId)).toEqual({ ...known, causes: [span(4)] });
  expect(await contexts.ofSession(0, strategyId)).toBeNull();
  expect(await contexts.ofDelivery(strategyId)).toEqual([]);
});

it('stores the next contexts after a statement that failed', async () => {
  const contexts = new PgTraceContexts(database.dataSource);
  await expect(contexts.note(['not an id'], span(1))).rejects.toThrow('uuid');
  const eventId = crypto.randomUUID();
  await contexts.note([eventId], span(2));
  expect(await contexts.find([eventId])).toEqual(new Map([[eventId, span(2)]]));
});
