import { createTestDatabase, messages, newSession, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { auditLog, createEventStore, migrateDatabase, type PgEventStore } from '../../index.js';

describe('log audit', () => {
  let database: TestDatabase;
  let store: PgEventStore;
  let client: pg.Client;
  beforeEach(async () => {
    database = await createTestDatabase(migrateDatabase);
    store = createEventStore({ databaseUrl: database.url });
    client = new pg.Client(database.url);
    await client.connect();
    const scope = await newSession(store);
    await store.append({ ...scope, events: messages(5) });
    await store.append({ ...scope, sessionId: 'tuesday', events: messages(4) });
  });
  afterEach(async () => {
    await client.end();
    await store.close();
    await database.drop();
  });

  const withoutGuards = (statement: string): Promise<unknown> =>
    client.query(`
      alter table events disable trigger all;
      alter table tombstones disable trigger all;
      ${statement};
      alter table events enable trigger all;
      alter table tombstones enable trigger all`);

  it('reports no findings for an intact log', async () => {
    expect(await auditLog(database.url)).toEqual({ head: 10, events: 10, tombstones: 0, sessions: 2, findings: [] });
  });

  it('counts deleted events as used, since deletion leaves tombstones, even at the newest end', async () => {
    await client.query("begin; set local turnkeeper.tombstone_reason = 'expired'");
    await client.query('delete from events where position in (3, 4, 9, 10)');
    await client.query('commit');
    const { rows } = await client.query(
      'select position::int, sequence::int, reason from tombstones order by position',
    );
    expect(rows).toEqual([
      { position: 3, sequence: 2, reason: 'expired' },
      { position: 4, sequence: 3, reason: 'expired' },
      { position: 9, sequence: 3, reason: 'expired' },
      { position: 10, sequence: 4, reason: 'expired' },
    ]);
    expect(await auditLog(database.url)).toMatchObject({ head: 10, events: 6, tombstones: 4, findings: [] });
    expect(await store.headPosition()).toBe(10);
    const [event] = await store.readLog(7, 1);
    const next = await store.append({ ...event!, events: messages(1) });
    expect(next).toMatchObject({ firstPosition: 11, firstSequence: 5 });
  });

  it('reports a gap without a tombstone', async () => {
    await withoutGuards('delete from events where position = 4');
    const { findings } = await auditLog(database.url);
    expect(findings).toEqual([
      { rule: 'position_missing', sessionKey: null, count: 1 },
      { rule: 'sequence_missing', sessionKey: 1, count: 1 },
    ]);
  });

  it('reports a duplicate position and an unknown session', async () => {
    await withoutGuards(`
      insert into tombstones select partition, position, tenant_id, session_key, sequence, 'deleted', now()
      from events where position = 2;
      delete from sessions where session_key = 2`);
    expect((await auditLog(database.url)).findings).toEqual([
      { rule: 'position_twice', sessionKey: null, count: 1 },
      { rule: 'sequence_twice', sessionKey: 1, count: 1 },
      { rule: 'session_unknown', sessionKey: 2, count: 1 },
    ]);
  });

  it('does not need to detect edits: the tables reject them', async () => {
    await expect(client.query("update events set data = '{}'")).rejects.toThrow(/never edited/);
    await expect(client.query('truncate events')).rejects.toThrow(/never edited/);
    await expect(client.query('delete from tombstones')).rejects.toThrow(/never edited/);
  });
});
