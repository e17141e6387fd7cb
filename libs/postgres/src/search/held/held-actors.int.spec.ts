import { randomUUID } from 'node:crypto';
import type { SessionScope, Transaction, TurnHit } from '@turnkeeper/application';
import type { MessageAppended, NewEvent } from '@turnkeeper/domain';
import { createTestDatabase, newSession, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { TenantPool } from '../../connections/tenant-pool.js';
import { createEventStore, migrateDatabase, type PgEventStore } from '../../index.js';
import { PgTurnIndex } from '../turns/pg-turn-index.js';
import type { TurnIndexer } from '../turns/turn-indexer.js';
import { actorsInMemory, type ActorsInMemory } from './held-actors.js';

const says = (content: string, data: Partial<MessageAppended> = {}, at: string | null = null): NewEvent => ({
  ...{ eventId: randomUUID(), type: 'message.appended', schemaVersion: 1, occurredAt: at },
  data: { payloadType: 'CONVERSATIONAL', role: 'user', content, ...data },
});
const NO_INDEXER = { catchUp: () => Promise.resolve(0) } as unknown as TurnIndexer;
const CACHE_BYTES = 32 * 1_048_576;

const TALK = [
  ['Nora', 'We planted twelve tomato seedlings behind the shed, and the shed needs a new roof.'],
  ['Felix', 'Which roof? Slate or tin?'],
  ['Nora', 'Tin. The carpenter comes on Friday.'],
  ['Felix', 'Then I will bring the ladder tomorrow.'],
  ['Nora', 'Tôi thích cà phê sữa đá ở Đà Nẵng.'],
  ['Felix', 'My sister keeps bees in Lisbon since last year.'],
] as const;
const QUESTIONS = [
  'What did we plant behind the shed?',
  'Who brings the ladder?',
  'What did Nora say about the roof?',
  'What happened in May 2024?',
  'Where does my sister keep bees?',
  'roof roof ladder carpenter seedlings bees',
  'zeppelin',
];

describe('turns in memory', () => {
  let database: TestDatabase;
  let store: PgEventStore;
  let pool: pg.Pool;
  let scope: SessionScope;
  let held: ActorsInMemory;
  let inMemory: PgTurnIndex;
  const statements: string[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    await migrateDatabase(database.url);
    store = createEventStore({
      databaseUrl: database.url,
      roles: { app: 'turnkeeper_app', system: 'turnkeeper_system' },
    });
    pool = new pg.Pool({ connectionString: database.url, max: 4 });
  });
  afterAll(async () => {
    await pool.end();
    await store.close();
    await database.drop();
  });
  beforeEach(async () => {
    scope = await newSession(store);
    const tenants = new TenantPool(pool, undefined);
    const query = tenants.query.bind(tenants);
    vi.spyOn(tenants, 'query').mockImplementation((tenantId, text, values) => {
      statements.push(typeof text === 'string' ? text : (text.name ?? text.text));
      return query(tenantId, text, values);
    });
    held = actorsInMemory(tenants, CACHE_BYTES);
    inMemory = new PgTurnIndex(tenants, NO_INDEXER, undefined, undefined, undefined, held);
  });

  const upToDate = async () => {
    while ((await store.turns.catchUp(5_000)) > 0);
  };
  const talk = async (sessionId: string, from = 0) =>
    store.append({
      ...scope,
      sessionId,
      events: TALK.map(([speaker, text], n) =>
        says(
          `${text} ${from}`,
          { metadata: { speaker }, role: n % 2 === 0 ? 'user' : 'assistant' },
          n === 2 ? '2024-05-17T10:00:00Z' : null,
        ),
      ),
    });
  const actor = () => ({ tenantId: scope.tenantId, memoryId: scope.memoryId, actorId: scope.actorId });
  const search = async (index: Pick<PgTurnIndex, 'search'>, text: string) => {
    const hits = await index.search(actor(), { text, limit: 20, scoreThreshold: 0, window: 1 });
    return hits.map(({ event, score, parts, neighbours }: TurnHit) => ({
      ...{ content: event.data.content, score: score.toFixed(9), neighbours: neighbours.length },
      parts: Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.toFixed(9)])),
    }));
  };
  /** Searches until the turns are in memory. */
  const load = async () => {
    const isHeld = () => held.peek(actor()) !== undefined;
    await vi.waitUntil(async () => isHeld() || (await search(inMemory, 'load')) === null || isHeld(), { interval: 5 });
  };
  /** Both indexes find the same, and the one in memory without reading postings. */
  const expectSame = async () => {
    statements.length = 0;
    for (const question of QUESTIONS)
      expect(await search(inMemory, question)).toEqual(await search(store.turns, question));
    expect(held.peek(actor())).toBeDefined();
    expect(statements.filter((name) => /^(turn_scope|list_turn_|some_turn_|find_turn_)/.test(name))).toEqual([]);
  };
  const inTransaction = async (work: (tx: Transaction) => Promise<unknown>): Promise<void> => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await work({ query: async (text, values) => (await client.query(text, values)).rows });
      await client.query('commit');
    } finally {
      client.release();
    }
  };

  // The first test: in a longer log, an index that was dropped is too far behind to be used.
  it('are read again after the index was dropped', async () => {
    await talk('s1');
    await upToDate();
    await load();
    await pool.query('select drop_turns()');
    expect(await search(inMemory, 'ladder')).toEqual(await search(store.turns, 'ladder'));
    await upToDate();
    await load();
    await expectSame();
  });

  it('are found with the same scores as turns in Postgres', async () => {
    for (const session of ['s1', 's2', 's3']) await talk(session);
    await upToDate();
    await load();
    await expectSame();
  });

  it('are ranked in part, like turns in Postgres, if there are many', async () => {
    for (let n = 0; n < 400; n += 1) await talk(`s${n}`, n % 90);
    await upToDate();
    await load();
    await expectSame();
  });

  it.each([
    ['indexed', upToDate],
    ['not indexed yet', async () => undefined],
  ])('include messages of known and new sessions that were appended since, %s', async (_, settle) => {
    await talk('s1');
    await upToDate();
    await load();
    await talk('s1', 1);
    await talk('new');
    await settle();
    await expectSame();
    const about = (await search(inMemory, 'ladder')).filter(({ content }) => content.includes('ladder'));
    expect(about).toHaveLength(3);
  });

  it('do not include what was erased or has expired, nor count it', async () => {
    for (const session of ['s1', 's2', 's3']) await talk(session);
    await upToDate();
    await load();
    const [event] = await store.readSession({ ...scope, sessionId: 's1' }, { order: 'oldest-first', limit: 1 });
    await inTransaction((tx) => store.erasure.eraseEvent(tx, event!));
    await expectSame();
    await inTransaction(async (tx) => {
      await store.erasure.lockSessions(tx, { ...scope, sessionId: 's2' });
      await store.erasure.closeSessions(tx, { ...scope, sessionId: 's2' });
    });
    await store.erasure.purgeSessions(null);
    await expectSame();
    expect(held.peek(actor())?.summary()).toMatchObject({ sessions: 2, turns: 11 });
    await pool.query(`begin; set local turnkeeper.change = 'expiry';
      update events set expires_at = now() where memory_id = '${scope.memoryId}' and expires_at is not null; commit`);
    await store.erasure.purgeExpired();
    expect(await search(inMemory, 'ladder')).toEqual([]);
    expect(held.peek(actor())?.summary()).toMatchObject({ sessions: 0, turns: 0 });
  });

  it('include a change that commits after a later one', async () => {
    for (const session of ['s1', 's2']) await talk(session);
    await upToDate();
    await load();
    const words = () => held.peek(actor())?.summary().words ?? 0;
    const before = words();
    const slow = await pool.connect();
    await slow.query('begin');
    const change = `update turn_sessions set words = words + 100 where session_key = (
      select session_key from sessions where memory_id = $1 and session_id = $2)`;
    await slow.query(change, [scope.memoryId, 's1']);
    await pool.query(change, [scope.memoryId, 's2']);
    await search(inMemory, 'ladder');
    expect(words()).toBe(before + 100);
    await slow.query('commit');
    slow.release();
    await search(inMemory, 'ladder');
    expect(words()).toBe(before + 200);
  });

  it('belong to one tenant', async () => {
    await talk('s1');
    await upToDate();
    await load();
    const stranger = { ...actor(), tenantId: randomUUID() };
    expect(await inMemory.search(stranger, { text: 'ladder', limit: 9, scoreThreshold: 0, window: 0 })).toEqual([]);
  });

  it('are forgotten when the server has restarted', async () => {
    await talk('s1');
    await upToDate();
    await load();
    await pool.query(
      `create or replace function snapshot_epoch() returns text language sql stable return 'another start'`,
    );
    await search(inMemory, 'ladder');
    expect(held.peek(actor())).toBeUndefined();
  });
});
