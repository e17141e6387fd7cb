import type { LineageLink, RecordLineage, SourcePlace } from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { rowsFor } from '../../connections/database.js';
import { RECORD_COLUMNS, recordViewOf, type RecordRow } from './record-row.js';

interface LinkRow {
  readonly record_id: string;
  readonly text: string;
  readonly stated_at: Date;
  readonly superseded_by: string | null;
  readonly valid_to: Date | null;
}

const linkOf = (row: LinkRow): LineageLink => ({
  recordId: row.record_id,
  text: row.text,
  statedAt: row.stated_at.toISOString(),
  supersededBy: row.superseded_by,
  validTo: row.valid_to?.toISOString() ?? null,
});

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
    from chain join records r using (record_id) where depth > 0 and not looped`;

export const lineageOf = async (
  dataSource: DataSource,
  tenantId: string,
  memoryId: string,
  recordId: string,
): Promise<RecordLineage | null> => {
  const place = [tenantId, memoryId, recordId];
  const [row] = await rowsFor<RecordRow & { actor_id: string | null; stated_at: Date }>(
    dataSource,
    tenantId,
    `select ${RECORD_COLUMNS}, r.actor_id from records r
        where r.tenant_id = $1 and r.memory_id = $2 and r.record_id = $3`,
    place,
  );
  if (row === undefined) return null;
  const links = async (next: string, order: string): Promise<LineageLink[]> =>
    (await rowsFor<LinkRow>(dataSource, tenantId, `${chain(next)} order by ${order}`, place)).map(linkOf);
  const supersedes = await links('c.superseded_by = r.record_id', 'r.stated_at desc, r.record_id');
  const supersededBy = await links('c.record_id = r.superseded_by', 'depth');
  const related = [recordId, ...supersedes, ...supersededBy].map((link) =>
    typeof link === 'string' ? link : link.recordId,
  );
  return {
    record: recordViewOf(row),
    actorId: row.actor_id,
    statedAt: row.stated_at.toISOString(),
    places: await placesOf(dataSource, tenantId, recordId),
    sessionKeys: await sessionKeysOf(dataSource, tenantId, related),
    supersedes,
    supersededBy,
  };
};

const placesOf = async (dataSource: DataSource, tenantId: string, recordId: string): Promise<SourcePlace[]> => {
  const rows = await rowsFor<{
    event_id: string;
    session_key: string | null;
    sequence: string;
    role: string;
    quote: string;
    is_context: boolean;
  }>(
    dataSource,
    tenantId,
    `select event_id, session_key, sequence, role, quote, is_context from record_sources
        where record_id = $2 and tenant_id = $1 order by sequence, quote`,
    [tenantId, recordId],
  );
  return rows.map((row) => ({
    eventId: row.event_id,
    sessionKey: row.session_key === null ? null : Number(row.session_key),
    sequence: Number(row.sequence),
    role: row.role,
    quote: row.quote,
    ...(row.is_context ? { context: true } : {}),
  }));
};

const sessionKeysOf = async (
  dataSource: DataSource,
  tenantId: string,
  recordIds: readonly string[],
): Promise<number[]> => {
  const rows = await rowsFor<{ session_key: string }>(
    dataSource,
    tenantId,
    `select session_key from record_sources where record_id = any($2) and tenant_id = $1 and session_key is not null
       union select session_key from records where record_id = any($2) and tenant_id = $1 and session_key is not null`,
    [tenantId, [...recordIds]],
  );
  return rows.map((row) => Number(row.session_key));
};
