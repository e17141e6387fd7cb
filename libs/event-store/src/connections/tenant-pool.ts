import type pg from 'pg';

/** Backoff before the next attempt; null parks it. */
export class TenantPool {
  private readonly tenants = new WeakMap<pg.PoolClient, string>();

  /** The stored answer is valid and something else failed; the next attempt reads it again. */
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
      // The endpoint was unavailable; counts towards `outageTry`, not as an attempt.
      client.release(true);
      throw error;
    }
  }
}

const NAME_TENANT = `select set_config('turnkeeper.tenant', $1, false)`;
