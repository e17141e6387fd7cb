import type pg from 'pg';
import { changeFor, type TenantRoles } from './row-reach.js';
import { TenantTurns } from './tenant-turns.js';

/**
 * Connections that see one tenant's rows at a time when row-level security is on. A connection remembers what it works
 * for, so setting it costs a round trip only when the tenant, or the reach of a restricted key, changes.
 */
export class TenantPool {
  private readonly worksFor = new WeakMap<pg.PoolClient, string>();
  readonly turns: TenantTurns;

  /** @param roles undefined: policies do not apply to the pool's role, so no tenant needs to be set */
  constructor(
    private readonly pool: pg.Pool,
    private readonly roles: TenantRoles | undefined,
  ) {
    this.turns = new TenantTurns(pool.options.max);
  }

  query<R extends pg.QueryResultRow>(
    tenantId: string,
    text: string | pg.QueryConfig,
    values?: unknown[],
  ): Promise<pg.QueryResult<R>> {
    return this.turns.run(tenantId, () => this.onConnection<R>(tenantId, text, values));
  }

  private async onConnection<R extends pg.QueryResultRow>(
    tenantId: string,
    text: string | pg.QueryConfig,
    values: unknown[] | undefined,
  ): Promise<pg.QueryResult<R>> {
    if (this.roles === undefined) return this.pool.query<R>(text, values);
    const client = await this.pool.connect();
    try {
      const change = changeFor(this.worksFor.get(client), tenantId, this.roles);
      if (change !== null) {
        await client.query(change.text, [...change.values]);
        this.worksFor.set(client, change.worksFor);
      }
      const result = await client.query<R>(text, values);
      client.release();
      return result;
    } catch (error) {
      // The connection state is unknown, and a new connection is cheap.
      client.release(true);
      throw error;
    }
  }
}
