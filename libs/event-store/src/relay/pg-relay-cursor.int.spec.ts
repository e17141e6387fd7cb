import { createTestDatabase, relayCursorLaws } from '@turnkeeper/testing';
import pg from 'pg';
import { migrateLog, PgRelayCursor } from '../index.js';
import { PgPublishedLog } from './pg-published-log.js';

relayCursorLaws('The cursor on Postgres', async () => {
  const database = await createTestDatabase();
  await migrateLog(database.url);
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
