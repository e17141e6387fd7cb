import { randomUUID } from 'node:crypto';
import type { SessionScope } from '@turnkeeper/application';
import {
  createTestDatabase,
  newSession,
  rowsReadBySteps,
  type ExplainedRow,
  type TestDatabase,
} from '@turnkeeper/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TenantPool } from '../../connections/tenant-pool.js';
import { createEventStore, migrateDatabase } from '../../index.js';
import { TurnIndexer } from '../../search/turns/turn-indexer.js';
import { PgQuestionIndex } from '../../search/questions/pg-question-index.js';
import { PgSessionActivity } from './pg-session-activity.js';
import { UsageCounts } from '../../projections/usage/usage-counts.js';
import { LogReader } from './log-reader.js';

const MESSAGES = 30_000;
/** Maximum rows per plan step: about one page, not a share of the session. */
const FEW = 250;

/** Records the largest row count of any plan step of each statement. */
class ExplainingPool extends pg.Pool {
  readonly rows: number[] = [];

  override query = (async (text: string | pg.QueryConfig, values?: unknown[]) => {
    const [sql, parameters] = typeof text === 'string' ? [text, values] : [text.text, text.values];
    const client = await this.connect();
    try {
      // Plans must not depend on the values: prepared statements may use a generic plan.
      await client.query('set plan_cache_mode = force_generic_plan');
      const explained = await client.query(`explain (analyze, format json) ${sql}`, parameters as unknown[]);
      this.rows.push(Math.max(...rowsReadBySteps(explained.rows[0] as ExplainedRow)));
      return await client.query(sql, parameters as unknown[]);
    } finally {
      client.release();
    }
  }) as unknown as pg.Pool['query'];
}

describe('reads of a long session', () => {
  let database: TestDatabase;
  let pool: ExplainingPool;
  let scope: SessionScope;

  beforeAll(async () => {
    database = await createTestDatabase(migrateDatabase);
    const store = createEventStore({ databaseUrl: database.url });
    scope = await newSession(store);
    await store.append({
      ...scope,
      events: [
        {
          eventId: randomUUID(),
          type: 'history.reset',
          schemaVersion: 1,
          occurredAt: null,
          data: { agentId: null, reason: 'r' },
        },
      ],
    });
    await store.close();
    pool = new ExplainingPool({ connectionString: database.url, max: 2 });
    const client = new pg.Client(database.url);
    await client.connect();
    await client.query(
      `insert into events (partition, position, event_id, tenant_id, memory_id, session_key, sequence, type, schema_version, data, recorded_at)
       select 0, 2 + n, gen_random_uuid(), $1, $2, (select session_key from sessions), 1 + n, 'message.appended', 1,
         json_build_object('payloadType', 'CONVERSATIONAL', 'role', case when n % 2 = 1 then 'user' else 'assistant' end,
           'content', case when n % 20 = 1 then 'often' else 'message ' || n end), now()
       from generate_series(1, $3::integer) n`,
      [scope.tenantId, scope.memoryId, MESSAGES],
    );
    await client.query('analyze');
    await client.end();
    await new TurnIndexer(pool, reader()).comeNear(0);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  /** Largest row count of any plan step during a read. */
  const widest = async (read: () => Promise<unknown>): Promise<number> => {
    pool.rows.length = 0;
    const found = await read();
    expect(found).not.toEqual([]);
    expect(found).not.toBeNull();
    return Math.max(...pool.rows);
  };
  const tenants = () => new TenantPool(pool, undefined);
  const reader = () => {
    const activity = new PgSessionActivity(pool, tenants());
    return new LogReader(pool, tenants(), new UsageCounts(tenants(), activity));
  };

  it.each([
    ['the newest messages', { order: 'newest-first', limit: 50 }],
    ['the oldest messages', { order: 'oldest-first', limit: 50 }],
    ['a page behind a cursor', { order: 'oldest-first', limit: 50, after: 15_000 }],
    ['a page before one', { order: 'newest-first', limit: 50, before: 15_000 }],
  ] as const)('touch few rows for %s', async (_, read) => {
    expect(await widest(() => reader().readSession(scope, read))).toBeLessThanOrEqual(FEW);
    const types = ['message.appended', 'message.interrupted'] as const;
    expect(await widest(() => reader().readSession(scope, { ...read, types }))).toBeLessThanOrEqual(FEW);
  });

  it.each([
    ['session', (whole: SessionScope) => whole],
    ['actor', ({ tenantId, memoryId, actorId }: SessionScope) => ({ tenantId, memoryId, actorId })],
    ['memory', ({ tenantId, memoryId }: SessionScope) => ({ tenantId, memoryId })],
  ] as const)('touch few rows for an exact match in the %s', async (_, narrowed) => {
    const index = new PgQuestionIndex(tenants(), new TurnIndexer(pool, reader()));
    for (const question of ['message 15003', 'often']) {
      for (const prefer of ['newest', 'oldest'] as const) {
        expect(await widest(() => index.findAnswer(narrowed(scope), question, prefer))).toBeLessThanOrEqual(FEW);
      }
    }
  });
});
