import { randomUUID } from 'node:crypto';
import { IdempotencyMismatch, type NewEvent } from '@turnkeeper/domain';
import { createTestDatabase, creation, message, newSession, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEventStore, migrateDatabase, type PgEventStore } from '../../index.js';

/** The cost to other tenants does not grow with the size of one tenant's data (docs/adr/0043). */
describe('tenant text', () => {
  let database: TestDatabase;
  let admin: pg.Client;
  let store: PgEventStore;
  beforeAll(async () => {
    database = await createTestDatabase(migrateDatabase);
    admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    store = createEventStore({ databaseUrl: database.url });
  });
  afterAll(async () => {
    await store.close();
    await admin.end();
    await database.drop();
  });

  const gate = async (memoryId: string) => {
    const { rows } = await admin.query<object>(
      `select event_expiry_days as days, is_open as open,
         (select array_agg(days) from expiry_changes c where c.memory_id = g.memory_id) as changes
       from memory_gates g where memory_id = $1`,
      [memoryId],
    );
    return rows[0];
  };
  const event = <T extends NewEvent['type']>(type: T, data: unknown) =>
    ({ eventId: randomUUID(), type, schemaVersion: 1, occurredAt: null, data }) as NewEvent;

  it('is not parsed by an append, which holds the head of the log, nor by the outline reader', async () => {
    await admin.query(`create or replace function well_formed(data json) returns json language plpgsql immutable as $$
      begin raise exception 'parsed'; end $$`);
    try {
      const created = creation(randomUUID(), randomUUID(), 7);
      await store.append(created);
      expect(await gate(created.memoryId)).toEqual({ days: 7, open: true, changes: null });
      for (const [days, appliedToExisting] of [
        [20, false],
        [30, true],
      ] as const) {
        const data = { eventExpiryDuration: days, appliedToExisting };
        await store.append({ ...created, events: [event('memory.expiry_changed', data)] });
      }
      expect(await gate(created.memoryId)).toEqual({ days: 30, open: true, changes: [30] });

      const scope = { ...created, actorId: 'ada', sessionId: 's' };
      const head = await store.headPosition();
      const said = message();
      await store.append({
        ...scope,
        events: [said, { ...said, eventId: randomUUID(), data: { ...said.data, role: 'tool' } } as NewEvent],
      });
      expect((await store.readOutline(head, 10)).map(({ isUserTurn }) => isUserTurn)).toEqual([true, false]);

      await store.append({ ...created, events: [event('memory.deleted', {})] });
      expect(await gate(created.memoryId)).toMatchObject({ open: false });
    } finally {
      await admin.query(`create or replace function well_formed(data json) returns json language sql immutable as $$
        select case when strpos(data::text, '\\ud') = 0 then data else replace_half_pairs(data::text)::json end $$`);
    }
  });

  it('is rejected without waiting if a later id of the request is being deleted', async () => {
    const scope = await newSession(store);
    const old = message('old');
    await store.append({ ...scope, events: [old] });
    const purge = new pg.Client({ connectionString: database.url });
    await purge.connect();
    await purge.query(`begin; set local turnkeeper.tombstone_reason = 'erased'`);
    expect((await purge.query('delete from events where event_id = $1', [old.eventId])).rowCount).toBe(1);
    // Checking the unique key would block until the transaction ends.
    await expect(store.append({ ...scope, events: [message(), message(), old] })).rejects.toThrow(IdempotencyMismatch);
    await expect(
      Promise.all([
        store.append({ ...scope, sessionId: 'other', events: [message(), message()] }),
        store.append({ ...scope, sessionId: 'third', events: [message(), old] }),
      ]),
    ).rejects.toThrow(IdempotencyMismatch);
    await purge.query('rollback');
    await purge.end();
  });

  it.each([
    ['plain \\ back\\\\slash', 'plain \\ back\\\\slash'],
    ['\ud800', '\ufffd'],
    ['a\ud83d\ud83dz', 'a\ufffd\ufffdz'],
    ['🐙 \udc00', '🐙 \ufffd'],
    ['C:\\udev and \ud83d', 'C:\\udev and \ufffd'],
    ['\\\ud83d\\', '\\\ufffd\\'],
    ['\\\\ud83d \ud83d', '\\\\ud83d \ufffd'],
    ['"\n\ud83d"', '"\n\ufffd"'],
    ['한\\ud55c', '한\\ud55c'],
  ])('is read with lone surrogates replaced: %j', async (written, read) => {
    const { rows } = await admin.query<{ text: string }>(`select well_formed($1::json) ->> 'text' as text`, [
      JSON.stringify({ text: written }),
    ]);
    expect(rows[0]!.text).toBe(read);
  });
});
