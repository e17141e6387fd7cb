import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ReadModelDatabase } from '../testing/read-model-database.js';
import { PgWorkGauges } from './work-gauges.js';

let database: ReadModelDatabase;
beforeAll(async () => {
  database = await ReadModelDatabase.create();
});
afterAll(() => database?.close());

it('reports the lag of each log follower and how long work has been due', async () => {
  const gauges = new PgWorkGauges(database.dataSource);
  const idle = await gauges.read();
  expect(idle.lags.map(({ follower, events, seconds }) => [follower, events, seconds])).toEqual([
    ['dispatcher', 0, 0],
    ['relay', 0, 0],
    ['turn_index', 0, 0],
    ['session_index', 0, 0],
  ]);
  expect(idle.due.map(({ kind, seconds }) => [kind, seconds])).toEqual([
    ['extraction', 0],
    ['delivery', 0],
    ['call', 0],
  ]);

  const scope = await database.memory({ strategies: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] });
  const session = await database.session(scope);
  await database.rows('alter table events disable trigger user');
  await database.say(session, 10);
  await database.rows(`update events set recorded_at = now() - make_interval(secs => (60 - position)::int)`);
  await database.rows(`insert into dispatch_cursor (name, position) values ('t', 4) on conflict do nothing`);
  await database.rows(`update dispatch_cursor set position = 4`);
  await database.rows(`insert into relay_cursor (name, position) values ('jetstream', 10)`);
  await database.rows(
    `insert into extraction_states (session_key, strategy_id, tenant_id, memory_id, actor_id, session_id, status,
                                    newest_sequence, due_at, lease_until)
     select $1, id, $2, $3, 'ada', 'thread', status, 1, now() - make_interval(secs => age), lease
       from (values ($4::uuid, 'waiting', 90, null::timestamptz), ($5::uuid, 'waiting', 500, now() + interval '1 minute'),
                    ($6::uuid, 'parked', 900, null)) v (id, status, age, lease)`,
    [session.sessionKey, scope.tenantId, scope.memoryId, ...scope.strategyIds],
  );
  const { lags, due } = await gauges.read();
  const [dispatcher, relay, turns, sessions] = lags;
  expect(dispatcher).toMatchObject({ events: 6 });
  expect(dispatcher!.seconds).toBeCloseTo(55, -1);
  expect(relay).toMatchObject({ events: 0, seconds: 0 });
  expect(turns).toMatchObject({ events: 10 });
  expect(sessions).toMatchObject({ events: 10 });
  expect(due[0]!.seconds).toBeCloseTo(90, -1);

  // The chart scales workers by the same rows. The second extraction has a worker already, so its age does not count.
  const [count, age] = scalingQueries().map((query) => database.rows<Record<string, string>>(query));
  expect(Object.values((await count!)[0]!).map(Number)).toEqual([2]);
  expect(Number(Object.values((await age!)[0]!)[0])).toBeCloseTo(90, -1);
});

/** The SQL of the triggers in the chart's ScaledObject. */
const scalingQueries = (): string[] => {
  const template = new URL('../../../../deploy/helm/turnkeeper/templates/worker-scaledobject.yaml', import.meta.url);
  return [...readFileSync(template, 'utf8').matchAll(/query: >-\n((?: {10}.*\n)+)/g)].map(([, sql = '']) => sql);
};

it('counts deletions that are not finished, a deleted memory without its sessions, and endpoints that get nothing', async () => {
  const gauges = new PgWorkGauges(database.dataSource);
  expect(await gauges.readStanding()).toEqual({
    erasures: ['memory', 'session', 'records'].map((kind) => ({ kind, count: 0, seconds: 0 })),
    endpoints: expect.arrayContaining(['paused', 'disabled'].map((status) => ({ status, count: 0 }))),
  });
  const [deleted, kept] = [await database.memory(), await database.memory()];
  await database.rows(
    `update memory_gates set is_open = false, closed_at = now() - interval '40 seconds' where memory_id = $1`,
    [deleted.memoryId],
  );
  await database.rows(
    `insert into closed_sessions (session_key, tenant_id, memory_id, reason, at, purged_at)
     select key, $1, memory_id::uuid, 'erased', now() - make_interval(secs => age), gone
       from (values (900001, $2, 90, null::timestamptz), (900002, $3, 300, null), (900003, $2, 500, now()))
         v (key, memory_id, age, gone)`,
    [kept.tenantId, kept.memoryId, deleted.memoryId],
  );
  await database.rows(
    `insert into record_deletions (deletion_id, tenant_id, memory_id, requested_at, finished_at)
     select gen_random_uuid(), $1, $2, now() - interval '20 seconds', finished
       from (values (null::timestamptz), (null), (now())) v (finished)`,
    [kept.tenantId, kept.memoryId],
  );
  await database.rows(
    `insert into webhook_endpoints (endpoint_id, tenant_id, url, description, format, secrets, status)
     select gen_random_uuid(), $1, 'https://example.org', '', 'standard', '[]', status
       from unnest(array['active', 'paused', 'disabled', 'disabled']) status`,
    [kept.tenantId],
  );
  const { erasures, endpoints } = await gauges.readStanding();
  expect(erasures.map(({ kind, count, seconds }) => [kind, count, Math.round(seconds / 10) * 10])).toEqual([
    ['memory', 1, 40],
    ['session', 1, 90],
    ['records', 2, 20],
  ]);
  expect(endpoints).toEqual(
    expect.arrayContaining([
      { status: 'paused', count: 1 },
      { status: 'disabled', count: 2 },
    ]),
  );
});
