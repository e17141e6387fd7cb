import { createTestDatabase, eventually, relayCursorLaws } from '@turnkeeper/testing';
import pg from 'pg';
import { expect, it } from 'vitest';
import { migrateDatabase, PgRelayCursor } from '../../index.js';
import { PgPublishedLog } from './pg-published-log.js';

relayCursorLaws('The cursor on Postgres', async () => {
  const database = await createTestDatabase(migrateDatabase);
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  return {
    published: new PgPublishedLog(pool),
    one: new PgRelayCursor(database.url),
    two: new PgRelayCursor(database.url),
    breakLeader: async () => {
      const client = new pg.Client(database.url);
      await client.connect();
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'turnkeeper-relay'`,
      );
      await client.end();
    },
    close: async () => {
      await pool.end();
      await database.drop();
    },
  };
});

it('passes leadership on when the leader stops heartbeating, and notifies the leader', async () => {
  const database = await createTestDatabase(migrateDatabase);
  try {
    // Simulates a frozen process: the connection stays open but sends nothing.
    const frozen = await new PgRelayCursor(database.url, { heartbeatMs: 600_000 }).lead();
    let lost = false;
    void frozen!.lost.then(() => (lost = true));
    const other = new PgRelayCursor(database.url);
    expect(await other.lead()).toBeNull();
    let lease = null;
    await eventually(async () => (lease = await other.lead()) !== null, {
      withinMs: 30_000,
      everyMs: 200,
      what: 'the other process leads',
    });
    await eventually(() => lost, { withinMs: 10_000, everyMs: 20, what: 'the frozen leader is told' });
    await frozen!.release();
    await lease!.release();
  } finally {
    await database.drop();
  }
});

it('keeps an idle leader that is alive', async () => {
  const database = await createTestDatabase(migrateDatabase);
  try {
    const lease = await new PgRelayCursor(database.url).lead();
    await new Promise((resolve) => setTimeout(resolve, 4_500));
    await lease!.advance(7);
    expect(await new PgRelayCursor(database.url).lead()).toBeNull();
    await lease!.release();
  } finally {
    await database.drop();
  }
});
