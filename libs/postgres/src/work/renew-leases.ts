import type { DataSource } from 'typeorm';
import { rowsOf } from '../connections/database.js';

/** A table whose rows are leased. */
export interface LeasedTable<Claim> {
  readonly table: string;
  /** Columns of the primary key, with their types. */
  readonly key: readonly (readonly [column: string, type: string, (claim: Claim) => unknown])[];
  /** Columns to extend: `lease_until`, and columns that expire at the same time. */
  readonly until: readonly string[];
  /** Further condition of a row that is still held. */
  readonly condition?: string;
}

/**
 * Extends leases to this duration from now; resolves to the claims that are still held. If a claim's row is locked, for
 * example by an erasure, the claim counts as held until the lock is released, so that the other claims of this process
 * need not wait. Its lease is not renewed meanwhile.
 */
export const renewLeases = async <Claim extends { readonly fence: number }>(
  dataSource: DataSource,
  { table, key, until, condition = 'true' }: LeasedTable<Claim>,
  claims: readonly Claim[],
  leaseSeconds: number,
): Promise<readonly Claim[]> => {
  const columns = [...key.map(([column]) => column), 'fence'].join(', ');
  const types = [...key.map(([, type]) => type), 'bigint'].map((type, index) => `$${index + 2}::${type}[]`).join(', ');
  const rows = await rowsOf<{ n: number }>(
    dataSource,
    `with held as materialized (
       select claimed.n, ${columns} from unnest(${types}) with ordinality as claimed(${columns}, n)
         join ${table} using (${columns})
        where lease_until is not null and ${condition}
     ), free as materialized (
       select ${columns} from ${table} x join held using (${columns})
        where x.lease_until is not null for update of x skip locked
     ), renewed as (
       update ${table} x set ${until.map((column) => `${column} = now() + make_interval(secs => $1)`).join(', ')}
         from free where ${key.map(([column]) => `x.${column} = free.${column}`).join(' and ')}
     )
     select n::int as n from held`,
    [leaseSeconds, ...key.map(([, , valueOf]) => claims.map(valueOf)), claims.map(({ fence }) => fence)],
  );
  return rows.flatMap(({ n }) => claims[n - 1] ?? []);
};
