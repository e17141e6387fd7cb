import { randomUUID } from 'node:crypto';
import type { SessionScope } from '@turnkeeper/application';
import { createTestDatabase, newSession, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { READ_ACTOR_SCOPE } from './turn-search.sql.js';
import { createEventStore, migrateDatabase, type PgEventStore } from '../../index.js';

let database: TestDatabase;
let store: PgEventStore;
let tenant: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase(migrateDatabase);
  const roles = { app: 'turnkeeper_app', system: 'turnkeeper_system' };
  store = createEventStore({ databaseUrl: database.url, roles });
  tenant = new pg.Client(database.url);
  await tenant.connect();
});
afterAll(async () => {
  await tenant.end();
  await store.close();
  await database.drop();
});

const append = (scope: SessionScope, count: number) =>
  store.append({
    ...scope,
    events: Array.from({ length: count }, (_, n) => ({
      ...{ eventId: randomUUID(), type: 'message.appended' as const, schemaVersion: 1, occurredAt: null },
      data: { payloadType: 'CONVERSATIONAL' as const, role: 'user', content: `message ${n}` },
    })),
  });

/** Pages that Postgres reads to open a scope, on a connection that sees one tenant's rows. */
const pagesOfScope = async ({ tenantId, memoryId, actorId }: SessionScope): Promise<number> => {
  const { rows } = await tenant.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
    'explain (analyze, buffers, format json) select * from turn_scope($1, $2, $3, null, 501)',
    [tenantId, memoryId, actorId],
  );
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan ?? {};
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
};

/** From now on, reads as this tenant, with plans for what is stored now. */
const readAs = async (tenantId: string): Promise<void> => {
  await tenant.query('reset role');
  await tenant.query('analyze');
  await tenant.query('set role turnkeeper_app');
  await tenant.query(`select set_config('turnkeeper.tenant', $1, false)`, [tenantId]);
};

it('a search reads no events of other tenants, however many are newer', async () => {
  const scope = await newSession(store);
  await append(scope, 10);
  while ((await store.turns.catchUp(5_000)) > 0);
  await readAs(scope.tenantId);
  await pagesOfScope(scope); // loads the catalog
  const before = await pagesOfScope(scope);
  const other = await newSession(store);
  for (let batch = 0; batch < 20; batch += 1) await append(other, 100);
  while ((await store.turns.catchUp(5_000)) > 0);
  await readAs(scope.tenantId);
  await pagesOfScope(scope); // plans again
  expect(before).toBeGreaterThan(0);
  expect(await pagesOfScope(scope)).toBeLessThan(before + 20);
});

it('a search that reads what is not indexed yet looks it up from where the index ended', async () => {
  const scope = await newSession(store);
  for (let session = 0; session < 10; session += 1) await append({ ...scope, sessionId: `call-${session}` }, 100);
  while ((await store.turns.catchUp(5_000)) > 0);
  await append(scope, 1);
  await readAs(scope.tenantId);
  const { rows } = await tenant.query<Record<string, string>>({
    text: `explain ${READ_ACTOR_SCOPE}`,
    values: [scope.tenantId, scope.memoryId, scope.actorId, null, false],
  });
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  // As a filter, it would have Postgres read all events of each session, and with many of the tenant those as well.
  expect(plan).toMatch(/Index Cond: \(\(session_key = s\.session_key\) AND \(sequence > /u);
});

it('a search of a memory finds its own newest turns without indexing those of others', async () => {
  while ((await store.turns.catchUp(5_000)) > 0);
  const [scope, other] = [await newSession(store), await newSession(store)];
  await append(scope, 5);
  for (let batch = 0; batch < 25; batch += 1) await append(other, 100);
  const behind = await store.turns.behind();
  const { tenantId, memoryId } = scope;
  const hits = await store.turns.search(
    { tenantId, memoryId },
    { text: 'message 3', limit: 3, scoreThreshold: 0, window: 0 },
  );
  expect(hits[0]?.event.data.content).toBe('message 3');
  expect(await store.turns.behind()).toBe(behind);
});
