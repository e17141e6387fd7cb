import type { SessionScope } from '@turnkeeper/application';
import { createTestDatabase, eventually, message, newSession, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TenantPool } from '../../connections/tenant-pool.js';
import { createEventStore, migrateDatabase, type PgEventStore } from '../../index.js';
import { PgSessionActivity } from '../read/pg-session-activity.js';
import { UsageCounts } from '../../projections/usage/usage-counts.js';
import { TurnIndexer } from '../../search/turns/turn-indexer.js';
import { LogReader } from '../read/log-reader.js';

/** Index rows left over from deleted messages. */
const LEFT_BEHIND = `
  select count(*)::int as count from turn_segments s cross join lateral turns_in(s.data) t
  where not exists (select from events e where e.session_key = s.session_key and e.sequence = t.sequence)`;

/** Messages that the index contains. */
const HELD = 'select coalesce(sum(turns), 0)::int as count from turn_segments';

describe('the index of turns, updated during deletes', () => {
  let database: TestDatabase;
  let store: PgEventStore;
  let indexer: pg.Client;
  let eraser: pg.Client;
  let scope: SessionScope;
  beforeAll(async () => {
    database = await createTestDatabase(migrateDatabase);
    store = createEventStore({ databaseUrl: database.url });
    [indexer, eraser] = [new pg.Client(database.url), new pg.Client(database.url)];
    await Promise.all([indexer.connect(), eraser.connect()]);
  });
  afterAll(async () => {
    await Promise.all([indexer?.end(), eraser?.end(), store?.close()]);
    await database?.drop();
  });
  beforeEach(async () => {
    scope = await newSession(store);
    await store.append({ ...scope, events: [message(), message(), message()] });
  });
  afterEach(async () => {
    await Promise.all([indexer.query('rollback'), eraser.query('rollback')]);
  });

  const sessionKey = async (): Promise<number> => {
    const text = 'select session_key::int as key from sessions where memory_id = $1 and actor_id = $2';
    return (await indexer.query<{ key: number }>(text, [scope.memoryId, scope.actorId])).rows[0]!.key;
  };
  const count = async (text: string): Promise<number> => (await indexer.query<{ count: number }>(text)).rows[0]!.count;
  const held = (): Promise<number> => count(HELD);
  /** Updates the index in the transaction that the test holds open. */
  const takeIn = (pool = indexer as unknown as pg.Pool): Promise<unknown> => {
    const tenants = new TenantPool(Object.assign(Object.create(pool), { options: { max: 1 } }), undefined);
    const counts = new UsageCounts(tenants, new PgSessionActivity(pool, tenants));
    return new TurnIndexer(pool, new LogReader(pool, tenants, counts)).catchUp(1_000);
  };
  const upToDate = async (): Promise<void> => {
    const behind = async (): Promise<boolean> => (await store.turns.catchUp(1_000)) === 0;
    await eventually(behind, { withinMs: 60_000 });
  };
  /** Deletes the second of the three messages. */
  const erasesOne = async (): Promise<unknown> => {
    const key = await sessionKey();
    const text = `select erase_event($1, $2, (select event_id from events where session_key = $2 and sequence = 2))`;
    return eraser.query(text, [scope.tenantId, key]);
  };
  const isWaiting = async (): Promise<boolean> => {
    const text = `select count(*)::int as count from pg_stat_activity
                   where datname = current_database() and wait_event_type = 'Lock'`;
    return (await count(text)) > 0;
  };

  it('keeps nothing of a message deleted after it was read and before the index commits', async () => {
    const before = await held();
    await indexer.query('begin');
    await takeIn();
    let erased = false;
    const erasing = erasesOne().then(() => (erased = true));
    await eventually(async () => erased || (await isWaiting()), { withinMs: 60_000, everyMs: 10 });
    await indexer.query('commit');
    await erasing;
    await upToDate();
    expect(await count(LEFT_BEHIND)).toBe(0);
    expect(await held()).toBe(before + 2);
  });

  /** An indexer in whose step the second message is erased after everything was read. */
  const takeInBesideErasure = async (): Promise<number> => {
    let erased = 0;
    const query = async (statement: pg.QueryConfig) => {
      if (statement.name === 'store_turn_segments' && (erased += 1) === 1) await erasesOne();
      return indexer.query(statement);
    };
    await takeIn({ query } as unknown as pg.Pool);
    await upToDate();
    return erased;
  };

  it('keeps nothing of a message deleted after it was read and before it is stored', async () => {
    const before = await held();
    expect(await takeInBesideErasure()).toBeGreaterThan(0);
    expect(await count(LEFT_BEHIND)).toBe(0);
    expect(await held()).toBe(before + 2);
  });

  it('keeps nothing of a message deleted after its segment was read to be continued', async () => {
    await upToDate();
    const before = await held();
    await store.append({ ...scope, events: [message()] });
    expect(await takeInBesideErasure()).toBe(1);
    expect(await count(LEFT_BEHIND)).toBe(0);
    expect(await held()).toBe(before);
  });

  it('keeps nothing of a message that is being deleted, and does not wait for the delete', async () => {
    const before = await held();
    await eraser.query('begin');
    await erasesOne();
    await takeIn();
    expect(await held()).toBe(before + 1);
    await eraser.query('commit');
    await upToDate();
    expect(await count(LEFT_BEHIND)).toBe(0);
    expect(await held()).toBe(before + 2);
  });

  it('indexes a message whose deletion is rolled back', async () => {
    const before = await held();
    await eraser.query('begin');
    await erasesOne();
    await takeIn();
    await eraser.query('rollback');
    await upToDate();
    expect(await held()).toBe(before + 3);
  });
});
