import type { BudgetLease, BudgetWant, RateBudgets, RateKind } from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { rowsOf } from '../connections/database.js';

/** A process that has leased nothing for this many seconds no longer counts as a holder. */
const HOLDER_SECONDS = 10;

// Ordered to avoid deadlocks between processes. If the clock is set back, nothing is refilled.
const LEASE = `
  insert into rate_budgets as b (tenant_id, kind, tokens, filled_at, per_second, burst, want, debt, granted, holders)
  select w."tenantId", w.kind, least(w.burst - w.debt, greatest(w.burst - w.debt - w.want, 0)), now(), w."perSecond", w.burst,
         w.want, w.debt, greatest(0, least(w.want, w.burst - w.debt)),
         jsonb_build_object($1::text, extract(epoch from now()))
    from jsonb_to_recordset($2::jsonb)
      as w ("tenantId" uuid, kind text, "perSecond" float8, burst float8, debt float8, want float8)
   order by 1, 2
  on conflict (tenant_id, kind) do update
    set (tokens, granted) = (
          select least(available, greatest(available - excluded.want, 0)), greatest(0, least(excluded.want, available))
            from (select least(excluded.burst, b.tokens + excluded.per_second
                           * greatest(0, extract(epoch from now() - b.filled_at)::float8)) - excluded.debt
                      as available) a),
        filled_at = greatest(b.filled_at, now()), per_second = excluded.per_second, burst = excluded.burst,
        want = excluded.want, debt = excluded.debt,
        holders = coalesce((select jsonb_object_agg(h.key, h.value) from jsonb_each(b.holders) h
                             where h.value::float8 > extract(epoch from now()) - $3::float8), '{}') || excluded.holders
  returning tenant_id as "tenantId", kind, granted, tokens as left,
            (select count(*) from jsonb_object_keys(holders))::int as holders`;

const LEFT = `
  select least(burst, tokens + per_second * greatest(0, extract(epoch from now() - filled_at)::float8)) as left
    from rate_budgets where tenant_id = $1 and kind = $2`;

/** Budgets as rows. One statement leases for many tenants. */
export class PgRateBudgets implements RateBudgets {
  constructor(private readonly dataSource: DataSource) {}

  lease(holder: string, wants: readonly BudgetWant[]): Promise<readonly BudgetLease[]> {
    return rowsOf<BudgetLease>(this.dataSource, LEASE, [holder, JSON.stringify(wants), HOLDER_SECONDS]);
  }

  async left(tenantId: string, kind: RateKind): Promise<number | null> {
    const [row] = await rowsOf<{ left: number }>(this.dataSource, LEFT, [tenantId, kind]);
    return row?.left ?? null;
  }
}
