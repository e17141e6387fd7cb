import type { ErasedSources } from '@turnkeeper/application';
import { EPISODE } from '@turnkeeper/domain';
import type { EntityManager } from 'typeorm';
import { listOf, rowsOf } from '../../connections/database.js';
import { sqlOf } from '../../connections/sql.js';
import { inBatches } from '../../connections/pacer.js';

/** Records read or deleted per statement, and the maximum pause after it, well below the time a transaction may be idle. */
export const BATCH = { atOnce: 200, mostMs: 200 };

/** Ids of the memories that these records are in. */
export const memoriesOf = async (manager: EntityManager, tenantId: string, recordIds: readonly string[]) => {
  const rows = await readAbout<{ memory_id: string }>(
    manager,
    tenantId,
    recordIds,
    'select distinct memory_id from records where record_id = any($1) and tenant_id = $2',
  );
  return new Set(rows.map((row) => row.memory_id));
};

/** Those of the records that no source states, and episodes: their text quotes every source. */
export const unsupportedOf = async (
  manager: EntityManager,
  tenantId: string,
  recordIds: readonly string[],
): Promise<string[]> => {
  const rows = await readAbout<{ record_id: string }>(
    manager,
    tenantId,
    recordIds,
    `select r.record_id from records r
      where r.record_id = any($1) and r.tenant_id = $2
        and (r.slot_key like '%|' || $3
          or not exists (
            select from record_sources s
             where s.record_id = r.record_id and s.tenant_id = r.tenant_id and not s.is_context))`,
    [EPISODE],
  );
  return rows.map((row) => row.record_id);
};

/** A source that a record no longer cites. */
export interface ErasedQuote {
  readonly record_id: string;
  readonly quote: string;
}

/**
 * Records whose texts hold words that no remaining source says: notes quote the question, and what a statement is about.
 */
export const quotingOf = async (
  manager: EntityManager,
  tenantId: string,
  gone: readonly ErasedQuote[],
): Promise<string[]> => {
  const found: string[] = [];
  await inBatches(gone, BATCH, async (batch) => {
    const rows = await sqlOf<{ record_id: string }>(manager)`
      select distinct r.record_id
        from unnest(${batch.map((source) => source.record_id)}::uuid[],
          ${batch.map((source) => source.quote)}::text[]) as g (record_id, quote)
         join records r on r.record_id = g.record_id and r.tenant_id = ${tenantId}
        where g.quote <> '' and strpos(r.text, g.quote) > 0
          and not exists (
            select from record_sources s
             where s.record_id = r.record_id and s.tenant_id = r.tenant_id and strpos(s.quote, g.quote) > 0)`;
    found.push(...rows.map((row) => row.record_id));
  });
  return found;
};

/** Other records that these supersede, last stated first; of the same time, the last one of the session first. */
export const recordsSupersededBy = async (
  manager: EntityManager,
  tenantId: string,
  recordIds: readonly string[],
): Promise<string[]> => {
  const superseders = new Set(recordIds);
  const rows = await readAbout<{ record_id: string; stated_at: Date; sequence: number }>(
    manager,
    tenantId,
    recordIds,
    `select r.record_id, r.stated_at,
            coalesce((select max(s.sequence) from record_sources s
                       where s.record_id = r.record_id and not s.is_context), 0)::float8 as sequence
       from records r where r.superseded_by = any($1) and r.tenant_id = $2`,
  );
  return rows
    .filter((row) => !superseders.has(row.record_id))
    .sort(
      (one, other) =>
        other.stated_at.getTime() - one.stated_at.getTime() || other.sequence - one.sequence || byId(one, other),
    )
    .map((row) => row.record_id);
};

/** Ids of the events that last wrote these records as a whole. */
export const accountsOf = async (
  manager: EntityManager,
  tenantId: string,
  recordIds: readonly string[],
): Promise<string[]> => {
  const rows = await readAbout<{ event_id: string }>(
    manager,
    tenantId,
    recordIds,
    'select distinct event_id from records where record_id = any($1) and tenant_id = $2',
  );
  return [...new Set(rows.map((row) => row.event_id))];
};

export const ownersOf = async (
  manager: EntityManager,
  tenantId: string,
  recordIds: readonly string[],
): Promise<Pick<ErasedSources, 'owners' | 'ownersInSessions'>> => {
  const rows = await readAbout<{ actor_id: string; in_sessions: boolean }>(
    manager,
    tenantId,
    recordIds,
    // Records stated by a caller never had a session.
    `select actor_id, bool_or(session_key is null and strategy_version is not null) as in_sessions from records
      where record_id = any($1) and tenant_id = $2 and actor_id is not null group by actor_id`,
  );
  const actorsOf = (found: typeof rows) => [...new Set(found.map((row) => row.actor_id))];
  return { owners: actorsOf(rows), ownersInSessions: actorsOf(rows.filter((row) => row.in_sessions)) };
};

/**
 * Runs a statement about many records in batches, with pauses. Rows of different batches may be equal.
 *
 * @param text its first parameter is a list of record ids, the second the tenant
 */
const readAbout = async <Row>(
  manager: EntityManager,
  tenantId: string,
  recordIds: readonly string[],
  text: string,
  more: readonly unknown[] = [],
): Promise<Row[]> => {
  const rows: Row[] = [];
  await inBatches(recordIds, BATCH, async (batch) => {
    rows.push(...(await rowsOf<Row>(manager, text, [listOf(batch), tenantId, ...more])));
  });
  return rows;
};

const byId = (one: { readonly record_id: string }, other: { readonly record_id: string }): number =>
  one.record_id < other.record_id ? -1 : 1;
