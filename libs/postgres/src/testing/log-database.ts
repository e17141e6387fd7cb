import type { ErasureScope, Transaction } from '@turnkeeper/application';
import { createTestDatabase, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import { createEventStore } from '../log/create-event-store.js';
import type { PgEventStore } from '../log/pg-event-store.js';
import { migrateDatabase } from '../migrate/migrate-database.js';

/** A migrated database with the event store on it, and connections to look into its tables. */
export class LogDatabase {
  private constructor(
    private readonly database: TestDatabase,
    readonly store: PgEventStore,
    readonly pool: pg.Pool,
  ) {}

  /** @param options.asAdmin the pool may change what other logins may not */
  static async create({ asAdmin = false } = {}): Promise<LogDatabase> {
    const database = await createTestDatabase(migrateDatabase);
    const pool = new pg.Pool({ connectionString: asAdmin ? database.adminUrl : database.url, max: 8 });
    return new LogDatabase(database, createEventStore({ databaseUrl: database.url }), pool);
  }

  get url(): string {
    return this.database.url;
  }

  async close(): Promise<void> {
    await this.pool.end();
    await this.store.close();
    await this.database.drop();
  }

  async transaction<T>(work: (tx: Transaction, client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    try {
      await client.query('begin');
      const result = await work({ query: async (text, values) => (await client.query(text, values)).rows }, client);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  }

  /** Makes the sessions unreadable, like the first part of an erasure. */
  closeSessions(scope: ErasureScope): Promise<readonly number[]> {
    return this.transaction(async (tx) => {
      await this.store.erasure.lockSessions(tx, scope);
      return this.store.erasure.closeSessions(tx, scope);
    });
  }
}
