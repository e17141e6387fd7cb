import pg from 'pg';

/** One extraction event: the range of a session that a strategy has read. */
export interface ExtractedRange {
  readonly session: string;
  readonly from: number;
  readonly to: number;
}

/** Reads the stores directly, bypassing the services. */
export class Inspector {
  private readonly pool: pg.Pool;
  private fingerprintText: string | null = null;

  /**
   * @param databaseUrl login of the table owner, for the command line
   * @param adminUrl sees everything, including the queue's tables
   */
  constructor(
    readonly databaseUrl: string,
    readonly adminUrl: string,
  ) {
    this.pool = new pg.Pool({ connectionString: adminUrl, max: 2, application_name: 'e2e-inspector' });
    this.pool.on('error', () => undefined);
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  async rows<T extends object>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    const { rows } = await this.pool.query<T>(text, [...values]);
    return rows;
  }

  async number(text: string, values: readonly unknown[] = []): Promise<number> {
    const [row] = await this.rows<{ n: string }>(`select (${text}) as n`, values);
    return Number(row?.n);
  }

  /** Row counts of the product's tables, and the log's newest position. */
  async census(): Promise<Record<string, number>> {
    const tables = await this.rows<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename not like '%migrations'
          and tablename not in ('relay_pages', 'rate_budgets') -- noted behind the log, and behind requests
      `,
    );
    const counts = await Promise.all(
      tables.map(async ({ name }) => [name, await this.number(`select count(*) from ${name}`)] as const),
    );
    return {
      ...Object.fromEntries(counts),
      position: await this.number('select coalesce(max(position), 0) from events'),
    };
  }

  /**
   * A hash per table of a tenant's rows: equal if nothing was changed, added or removed. A key's last use is ignored.
   */
  async fingerprint(tenantId: string): Promise<Record<string, string>> {
    this.fingerprintText ??= await this.fingerprintStatement();
    const { rows } = await this.pool.query<{ name: string; hash: string }>({
      name: 'fingerprint', // planned once: a union over all tables takes longer to plan than to run
      text: this.fingerprintText,
      values: [tenantId],
    });
    return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
  }

  private async fingerprintStatement(): Promise<string> {
    const tables = await this.rows<{ name: string }>(
      `select table_name as name from information_schema.columns
        where table_schema = 'public' and column_name = 'tenant_id'
          -- every export that is allowed adds a row, and every request costs something
          and table_name not in ('audit_log', 'rate_budgets')
          -- counts of other tables' rows, added up in the background
          and table_name not in ('actor_counts', 'memory_counts', 'session_activity',
                                 'strategy_totals', 'total_changes', 'usage_changes')
        order by 1`,
    );
    const hashes = tables.map(
      ({ name }) => `select '${name}' as name, md5(coalesce(string_agg(row, ' ' order by row), '')) as hash
        from (select (to_jsonb(t) - 'last_used_at')::text as row from ${name} t where tenant_id = $1) rows`,
    );
    return hashes.join(' union all ');
  }

  /** The extractions in the log, by session and strategy, in order. */
  async extractedRanges(memoryId: string): Promise<ExtractedRange[]> {
    return this.rows<ExtractedRange>(
      `select s.session_id || ' ' || (e.data ->> 'strategyId') as session,
              (e.data ->> 'fromSequence')::int as "from", (e.data ->> 'toSequence')::int as "to"
         from events e join sessions s using (session_key)
        where e.memory_id = $1 and e.type = 'records.extracted'
        order by 1, 2, e.position`,
      [memoryId],
    );
  }

  /** The newest sequence of every session of a memory. */
  async newestSequences(memoryId: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.rows<{ session: string; newest: number }>(
      `select s.session_id as session, max(e.sequence)::int as newest
         from events e join sessions s using (session_key) where e.memory_id = $1 group by 1`,
      [memoryId],
    );
    return new Map(rows.map(({ session, newest }) => [session, newest]));
  }
}

/** Errors in the ranges of one memory and strategy: they must tile 1..newest of every session. */
export const tilingFaults = (
  ranges: readonly ExtractedRange[],
  newestSequences: ReadonlyMap<string, number>,
): string[] => {
  const reached = new Map<string, number>();
  const faults: string[] = [];
  for (const { session, from, to } of ranges) {
    const before = reached.get(session) ?? 0;
    if (from !== before + 1) faults.push(`${session}: ${from}–${to} follows ${before}`);
    reached.set(session, to);
  }
  const bySession = new Map([...reached].map(([session, to]) => [session.slice(0, session.lastIndexOf(' ')), to]));
  for (const [session, newest] of newestSequences) {
    const to = bySession.get(session) ?? 0;
    if (to !== newest) faults.push(`${session}: extracted up to ${to} of ${newest}`);
  }
  return faults;
};
