import type { LineageLink, RecordLineage, SourcePlace } from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { columnOf, rowsFor, viewsFor } from '../../connections/database.js';
import { RECORD_COLUMNS, recordViewOf, type RecordRow } from './record-row.js';
import { sqlFor, sqlViewsFor } from '../../connections/sql.js';

/** Maximum chain length. Withdrawn and reset pointers can only shorten a chain. */
const MAX_LINKS = 100;

/** Follows pointers from a record; `next` joins the record `r` to its neighbour `c`. */
const chain = (next: string): string => `
  with recursive chain as (
    select r.record_id, r.superseded_by, 0 as depth from records r
     where r.tenant_id = $1 and r.memory_id = $2 and r.record_id = $3
    union all
    select c.record_id, c.superseded_by, r.depth + 1 from chain r join records c on ${next} and c.tenant_id = $1
     where r.depth < ${MAX_LINKS}
  ) cycle record_id set looped using path
  select r.record_id, r.text, r.stated_at, r.superseded_by, r.valid_to
    from chain join records r using (record_id) where r.tenant_id = $1 and depth > 0 and not looped`;

export const lineageOf = async (
  dataSource: DataSource,
  tenantId: string,
  memoryId: string,
  recordId: string,
): Promise<RecordLineage | null> => {
  const place = [tenantId, memoryId, recordId];
  const [found] = await rowsFor<RecordRow & { actor_id: string | null }>(
    dataSource,
    tenantId,
    `select ${RECORD_COLUMNS}, r.actor_id from records r
        where r.tenant_id = $1 and r.memory_id = $2 and r.record_id = $3`,
    place,
  );
  if (found === undefined) return null;
  const { actor_id: actorId, ...row } = found;
  const links = (next: string, order: string): Promise<LineageLink[]> =>
    viewsFor<LineageLink>(dataSource, tenantId, `${chain(next)} order by ${order}`, place);
  const supersedes = await links('c.superseded_by = r.record_id', 'r.stated_at desc, r.record_id');
  const supersededBy = await links('c.record_id = r.superseded_by', 'depth');
  const related = [recordId, ...supersedes, ...supersededBy].map((link) =>
    typeof link === 'string' ? link : link.recordId,
  );
  return {
    record: recordViewOf(row),
    actorId,
    statedAt: row.stated_at.toISOString(),
    places: await placesOf(dataSource, tenantId, recordId),
    sessionKeys: await sessionKeysOf(dataSource, tenantId, related),
    supersedes,
    supersededBy,
  };
};

const placesOf = async (dataSource: DataSource, tenantId: string, recordId: string): Promise<SourcePlace[]> => {
  const rows = await sqlViewsFor<Omit<SourcePlace, 'context'> & { readonly isContext: boolean }>(dataSource, tenantId)`
    select event_id, session_key::float8, sequence::float8, role, quote, is_context from record_sources
        where record_id = ${recordId} and tenant_id = ${tenantId} order by sequence, quote, event_id`;
  return rows.map(({ isContext, ...place }) => ({ ...place, ...(isContext ? { context: true } : {}) }));
};

const sessionKeysOf = (dataSource: DataSource, tenantId: string, recordIds: readonly string[]): Promise<number[]> =>
  columnOf<number>(
    sqlFor(dataSource, tenantId)`
      select session_key::float8 from record_sources
        where record_id = any(${[...recordIds]}) and tenant_id = ${tenantId} and session_key is not null
      union select session_key::float8 from records
        where record_id = any(${[...recordIds]}) and tenant_id = ${tenantId} and session_key is not null`,
  );
