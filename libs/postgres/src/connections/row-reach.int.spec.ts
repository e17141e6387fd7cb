import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseRoles, ROLES } from '../access/database-roles.js';
import { migrateDatabase } from '../migrate/migrate-database.js';
import { createDataSource, rowsFor } from './database.js';
import { keepReach, withinReach } from './row-reach.js';
import { TenantPool } from './tenant-pool.js';

const [tenantId, other, a, b] = Array.from({ length: 4 }, () => randomUUID()) as [string, string, string, string];

describe('rows within the reach of a restricted key', () => {
  let database: TestDatabase;
  let source: DataSource;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await createTestDatabase(migrateDatabase);
    pool = new pg.Pool({ connectionString: database.url, max: 1 });
    await pool.query(`insert into embedding_models (model, dimensions) values ('model', 1)`);
    for (const [tenant, memory] of [
      [tenantId, a],
      [tenantId, b],
      [other, randomUUID()],
    ] as const) {
      for (const actor of ['ada', 'bob']) {
        const { rows } = await pool.query<{ session_key: string }>(
          `insert into sessions (tenant_id, memory_id, actor_id, session_id, created_at)
           values ($1, $2, $3, 'monday', now()) returning session_key`,
          [tenant, memory, actor],
        );
        await pool.query(
          `insert into session_activity (session_key, tenant_id, memory_id, actor_key, last_position, last_at)
           values ($1, $2, $3, 1, 1, now())`,
          [rows[0]?.session_key, tenant, memory],
        );
        await pool.query(
          `insert into turn_segments (session_key, first_sequence, last_sequence, last_place, tenant_id, memory_id, actor_key,
             first_position, last_position, turns, words, first_day, last_day, speakers, languages, terms, data, is_sealed)
           values ($1, 1, 1, 1, $2, $3, 1, 1, 1, 1, 1, 1, 1, '{}', '{en}', '{1}', '', true)`,
          [rows[0]?.session_key, tenant, memory],
        );
        // Has neither a memory nor an actor.
        await pool.query(`insert into turn_vectors values ($1, 1, 1, $2, '')`, [rows[0]?.session_key, tenant]);
      }
    }
    const roles = await databaseRoles(database.url, 'required');
    expect(roles).toEqual(ROLES);
    source = createDataSource({ url: database.url, poolSize: 1, roles: ROLES });
    await source.initialize();
  });
  afterAll(async () => {
    await source.destroy();
    await pool.end();
    await database.drop();
  });

  const seen = async (): Promise<string[]> => {
    const rows = await rowsFor<{ memory_id: string; actor_id: string; counted: boolean }>(
      source,
      tenantId,
      // No predicate at all: the policies are the only protection.
      `select s.memory_id, s.actor_id, c.session_key is not null as counted
         from sessions s left join session_activity c using (session_key)`,
    );
    for (const table of ['session_activity', 'turn_segments', 'turn_vectors']) {
      const counts = await rowsFor<{ n: string }>(source, tenantId, `select count(*) as n from ${table}`);
      expect([table, counts[0]?.n]).toEqual([table, String(rows.length)]);
    }
    return rows.map((row) => `${row.memory_id === a ? 'a' : 'b'} ${row.actor_id}`).sort();
  };
  const all = ['a ada', 'a bob', 'b ada', 'b bob'];

  it('are those of its memory and its actor, on one connection in any order', async () => {
    const within = (memoryId: string | null, actorId: string | null) =>
      withinReach({ tenantId, memoryId, actorId }, seen);
    expect(await seen()).toEqual(all);
    expect(await within(a, null)).toEqual(['a ada', 'a bob']);
    expect(await within(null, 'ada')).toEqual(['a ada', 'b ada']);
    expect(await within(b, 'ada')).toEqual(['b ada']);
    expect(await seen()).toEqual(all);
    expect(await within(b, 'ada')).toEqual(['b ada']);
    const [whole, kept] = [keepReach(), withinReach({ tenantId, memoryId: b, actorId: 'bob' }, keepReach)];
    expect(await withinReach({ tenantId, memoryId: a, actorId: 'ada' }, () => whole.run(seen))).toEqual(all);
    expect(await withinReach({ tenantId, memoryId: a, actorId: 'ada' }, () => kept.run(seen))).toEqual(['b bob']);
    expect(await withinReach({ tenantId: other, memoryId: a, actorId: 'ada' }, seen)).toEqual(all);
  });

  it('are the same for the readers of the log', async () => {
    const readers = new pg.Pool({ connectionString: database.url, max: 1, options: `-c role=${ROLES.app}` });
    const tenants = new TenantPool(readers, ROLES);
    const count = async () => (await tenants.query(tenantId, 'select 1 from sessions')).rowCount;
    expect(await count()).toBe(4);
    expect(await withinReach({ tenantId, memoryId: a, actorId: 'bob' }, count)).toBe(1);
    expect(await count()).toBe(4);
    await readers.end();
  });

  it('cannot be written outside of it', async () => {
    const move = () =>
      rowsFor(source, tenantId, `update session_activity set memory_id = $1 where memory_id = $2`, [b, a]);
    await expect(withinReach({ tenantId, memoryId: a, actorId: null }, move)).rejects.toThrow(/row-level security/);
    await withinReach({ tenantId, memoryId: b, actorId: null }, move);
    const { rows } = await pool.query('select 1 from session_activity where memory_id = $1', [a]);
    expect(rows).toHaveLength(2);
  });

  it('are restricted in every table with a memory, an actor or a session', async () => {
    const { rows } = await pool.query<{ name: string; condition: string }>(
      `select tablename as name, qual as condition from pg_policies where policyname = 'reached_rows'`,
    );
    const conditions = new Map(rows.map(({ name, condition }) => [name, condition]));
    const columns = await pool.query<{ name: string; has: string[] }>(
      `select table_name as name, array_agg(column_name::text) as has from information_schema.columns
        where table_schema = 'public' and table_name not like '%migrations' group by 1`,
    );
    for (const { name, has } of columns.rows) {
      if (!has.includes('tenant_id') || ['tenants', 'api_keys'].includes(name)) continue;
      const condition = conditions.get(name) ?? '';
      expect(condition, name).toContain('current_tenant');
      if (has.includes('actor_id')) expect(condition, name).toContain('reach_actor');
      if (has.includes('memory_id') && name !== 'idempotent_requests')
        expect(condition, name).toContain('reach_memory');
    }
  });

  it('leave the policies of unrestricted keys as they were, so their plans are the same', async () => {
    const { rows } = await pool.query<{ qual: string; roles: string }>(
      `select distinct qual, roles::text from pg_policies
        where policyname = 'own_rows' and tablename not in ('webhook_attempts', 'connector_instances', 'connector_stamps')`,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.qual.replaceAll(/\s+/g, ' ')).toBe('(tenant_id = ( SELECT current_tenant() AS current_tenant))');
    expect(rows[0]?.roles).toBe('{turnkeeper_app}');
    // The policies of one role must not be added to those of the other.
    const inherits = await pool.query<{ inherits: boolean }>(`select pg_has_role($1, $2, 'usage') as inherits`, [
      ROLES.app,
      ROLES.restricted,
    ]);
    expect(inherits.rows[0]?.inherits).toBe(false);
  });
});
