import type { SessionScope } from '@turnkeeper/application';
import { createTestDatabase, eventually, message, newSession, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEventStore, migrateDatabase, type PgEventStore } from '../../index.js';

/** Index rows left over from deleted messages. */
const LEFT_BEHIND = {
  questions: `select count(*)::int as count from questions q
               where not exists (select from events e where e.partition = 0 and e.position = q.position)`,
  turns: `select ((select count(*) from turns t
                    where not exists (select from events e where e.session_key = t.session_key and e.sequence = t.sequence))
                + (select count(*) from turn_words w
                    where not exists (select from turns t where t.session_key = w.session_key and t.place = w.place)))::int as count`,
};

/** Updates the index in the transaction that the test holds open. */
const TAKE_IN = {
  questions: 'select index_questions(1000)',
  turns: `select index_turns(
            (select position from question_cursor where name = 'turns'),
            (select max(position) from events),
            (select json_agg(json_build_object('position', position, 'day', 20000, 'traits', 32, 'speaker', null,
               'language', 'en', 'words', 1, 'terms', array['asked'], 'counts', array[1]) order by position)
               from events where type = 'message.appended'
                and position > (select position from question_cursor where name = 'turns')))`,
};

describe.each(['questions', 'turns'] as const)('the index of %s, updated during deletes', (index) => {
  let database: TestDatabase;
  let store: PgEventStore;
  let indexer: pg.Client;
  let eraser: pg.Client;
  let scope: SessionScope;
  beforeAll(async () => {
    database = await createTestDatabase();
    await migrateDatabase(database.url);
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
  const held = (): Promise<number> => count(`select count(*)::int as count from ${index}`);
  const upToDate = async (): Promise<void> => {
    const behind = async (): Promise<boolean> => (await store[index].catchUp(1_000)) === 0;
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
    await indexer.query(TAKE_IN[index]);
    let erased = false;
    const erasing = erasesOne().then(() => (erased = true));
    await eventually(async () => erased || (await isWaiting()), { withinMs: 60_000, everyMs: 10 });
    await indexer.query('commit');
    await erasing;
    await upToDate();
    expect(await count(LEFT_BEHIND[index])).toBe(0);
    expect(await held()).toBe(before + 2);
  });

  it('keeps nothing of a message that is being deleted, and does not wait for the delete', async () => {
    const before = await held();
    await eraser.query('begin');
    await erasesOne();
    await indexer.query(TAKE_IN[index]);
    expect(await held()).toBe(before + 1);
    await eraser.query('commit');
    await upToDate();
    expect(await count(LEFT_BEHIND[index])).toBe(0);
    expect(await held()).toBe(before + 2);
  });

  it('indexes a message whose deletion is rolled back', async () => {
    const before = await held();
    await eraser.query('begin');
    await erasesOne();
    await indexer.query(TAKE_IN[index]);
    await eraser.query('rollback');
    await upToDate();
    expect(await held()).toBe(before + 3);
  });
});
