import type pg from 'pg';

/**
 * Connections that see one tenant's rows at a time when row-level security is on. A connection remembers its last
 * tenant, so setting it costs a round trip only when the tenant changes.
 */
export class TenantPool {
  private readonly tenants = new WeakMap<pg.PoolClient, string>();

  /** @param secured false: policies do not apply to the pool's role, so no tenant needs to be set */
  constructor(
    private readonly pool: pg.Pool,
    private readonly secured: boolean,
  ) {}

  async query<R extends pg.QueryResultRow>(
    tenantId: string,
    text: string | pg.QueryConfig,
    values?: unknown[],
  ): Promise<pg.QueryResult<R>> {
    if (!this.secured) return this.pool.query<R>(text, values);
    const client = await this.pool.connect();
    try {
      if (this.tenants.get(client) !== tenantId) {
        await client.query(NAME_TENANT, [tenantId]);
        this.tenants.set(client, tenantId);
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

const NAME_TENANT = `select set_config('turnkeeper.tenant', $1, false)`;
