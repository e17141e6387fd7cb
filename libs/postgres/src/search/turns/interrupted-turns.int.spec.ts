import { randomUUID } from 'node:crypto';
import type { SessionScope, TurnScope } from '@turnkeeper/application';
import type { NewEvent } from '@turnkeeper/domain';
import { createTestDatabase, newSession, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEventStore, migrateDatabase, type PgEventStore } from '../../index.js';

const says = (role: string, content: string): NewEvent => ({
  ...{ eventId: randomUUID(), type: 'message.appended', schemaVersion: 1, occurredAt: null },
  data: { payloadType: 'CONVERSATIONAL', role, content },
});
const cuts = ({ eventId }: NewEvent, heard: string | null): NewEvent => ({
  ...{ eventId: randomUUID(), type: 'message.interrupted', schemaVersion: 1, occurredAt: null },
  data: { messageEventId: eventId, heard },
});

describe('turns that were interrupted', () => {
  let database: TestDatabase;
  let store: PgEventStore;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await createTestDatabase(migrateDatabase);
    store = createEventStore({
      databaseUrl: database.url,
      roles: { app: 'turnkeeper_app', system: 'turnkeeper_system' },
    });
    pool = new pg.Pool({ connectionString: database.url, max: 2 });
  });
  afterAll(async () => {
    await pool.end();
    await store.close();
    await database.drop();
  });

  const upToDate = async () => {
    while ((await store.turns.catchUp(5_000)) > 0);
  };
  const append = (scope: SessionScope, ...events: NewEvent[]) => store.append({ ...scope, events });
  const scopesOf = ({ tenantId, memoryId, actorId, sessionId }: SessionScope): TurnScope[] => [
    { tenantId, memoryId },
    { tenantId, memoryId, actorId },
    { tenantId, memoryId, actorId, sessionId },
  ];
  /** What the three scopes find, which must be the same, with the texts around it. */
  const found = async (scope: SessionScope, text: string) => {
    const asked = { text, limit: 10, scoreThreshold: 0, window: 1 };
    const all = await Promise.all(
      scopesOf(scope).map(async (of) =>
        (await store.turns.search(of, asked)).map(({ event, neighbours }) => ({
          content: event.data.content,
          around: neighbours.map(({ data }) => data.content),
        })),
      ),
    );
    expect(all[1]).toEqual(all[0]);
    expect(all[2]).toEqual(all[0]);
    return all[0]?.map(({ content }) => content);
  };
  const drift = async () => store.turns.rebuild({ onlyCompare: true });
  const NO_DRIFT = { missing: 0, surplus: 0, changed: 0 };
  const WHOLE = 'Your refund was rejected because the walnut cabinet came back scratched.';

  it.each([
    ['before the turn is indexed', false, false],
    ['after it, and before the interruption is', true, false],
    ['after both are', true, true],
  ])('are found by what was heard: %s', async (_, indexFirst, indexAfter) => {
    const scope = await newSession(store);
    const said = says('assistant', WHOLE);
    await append(scope, says('user', 'Where is my money?'), said);
    if (indexFirst) await upToDate();
    expect((await found(scope, 'walnut cabinet'))?.[0]).toBe(WHOLE);
    await append(scope, cuts(said, 'Your refund'), says('user', 'Wait.'));
    if (indexAfter) await upToDate();
    expect(await found(scope, 'walnut cabinet scratched')).toEqual([]);
    expect((await found(scope, 'refund'))?.[0]).toBe('Your refund');
    const [hit] = await store.turns.search(scope, { text: 'money', limit: 1, scoreThreshold: 0, window: 1 });
    const shown = [hit?.event, ...(hit?.neighbours ?? [])].map((event) => event?.data.content);
    expect(shown).toContain('Your refund');
    expect(shown).not.toContain(WHOLE);
    await upToDate();
    expect(await found(scope, 'walnut')).toEqual([]);
    expect(await drift()).toMatchObject(NO_DRIFT);
  });

  it('are found no more if nothing of them was heard, and again by what a second interruption says', async () => {
    const scope = await newSession(store);
    const said = says('assistant', WHOLE);
    await append(scope, said, says('user', 'Stop.'));
    await upToDate();
    await append(scope, cuts(said, ''));
    expect(await found(scope, 'refund cabinet')).toEqual([]);
    await upToDate();
    expect(await found(scope, 'refund cabinet')).toEqual([]);
    expect(await drift()).toMatchObject(NO_DRIFT);
    const other = says('assistant', WHOLE);
    await append(scope, other);
    await upToDate();
    await append(scope, cuts(other, 'Your refund was rejected because the walnut'));
    await upToDate();
    await append(scope, cuts(other, null), cuts(other, 'Your refund was rejected'));
    expect(await found(scope, 'walnut')).toEqual([]);
    await upToDate();
    expect(await found(scope, 'walnut')).toEqual([]);
    expect((await found(scope, 'rejected'))?.[0]).toBe('Your refund was rejected');
    expect(await drift()).toMatchObject(NO_DRIFT);
  });

  it('are the same after a rebuild, and erased with their words', async () => {
    const scope = await newSession(store);
    const said = says('assistant', WHOLE);
    const { firstSequence } = await append(scope, said, says('user', 'Stop.'));
    await upToDate();
    await append(scope, cuts(said, 'Your refund'));
    await upToDate();
    await pool.query('select drop_turns()');
    expect(await found(scope, 'walnut')).toEqual([]);
    await upToDate();
    expect(await found(scope, 'walnut')).toEqual([]);
    expect(await drift()).toMatchObject(NO_DRIFT);
    const words = `select count(*)::int as n from turn_segments s cross join lateral terms_in(s.data) w
                   where s.tenant_id = $1 and w.sequence = $2`;
    const { rows } = await pool.query<{ n: number }>(words, [scope.tenantId, firstSequence]);
    expect(rows[0]?.n).toBe(1);
  });

  it('are cut by no interruption of another session or tenant that names the same id', async () => {
    const scope = await newSession(store);
    const other = await newSession(store);
    const said = says('assistant', WHOLE);
    await append(scope, said);
    await append(other, { ...said });
    await append({ ...scope, sessionId: 'another' }, cuts(said, 'nothing'));
    await append(other, cuts(said, 'Your'));
    for (const _ of ['tail', 'index']) {
      expect(await found(scope, 'walnut cabinet')).toEqual([WHOLE]);
      expect(await found(other, 'walnut cabinet')).toEqual([]);
      await upToDate();
    }
    expect(await drift()).toMatchObject(NO_DRIFT);
  });
});
