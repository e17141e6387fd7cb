import { factKey, slotWords, type RecordSnapshot, type RecordSource } from '@turnkeeper/domain';
import type { EntityManager } from 'typeorm';
import { rowsOf } from '../database.js';
import { upsertOwn } from '../own-rows.js';

export interface SnapshotRow {
  record_id: string;
  text: string;
  namespace: string;
  strategy_id: string | null;
  strategy_version: number | null;
  actor_id: string | null;
  extractor: string;
  model: string | null;
  prompt_hash: string | null;
  slot_key: string | null;
  slot_value: string | null;
  sources: RecordSource[];
  stated_at: Date;
  created_at: Date;
  updated_at: Date;
  superseded_by: string | null;
  valid_to: Date | null;
}

/** Everything of a record `r`. */
export const SNAPSHOT_COLUMNS = `
  r.record_id, r.text, r.namespace, r.strategy_id, r.strategy_version, r.actor_id, r.extractor, r.model, r.prompt_hash,
  r.slot_key, r.slot_value, r.stated_at, r.created_at, r.updated_at, r.superseded_by, r.valid_to,
  coalesce((select json_agg(json_build_object(
      'eventId', s.event_id, 'sequence', s.sequence, 'role', s.role, 'quote', s.quote) order by s.sequence, s.quote)
    from record_sources s where s.record_id = r.record_id and s.tenant_id = r.tenant_id), '[]') as sources`;

export const snapshotOf = (row: SnapshotRow): RecordSnapshot => ({
  recordId: row.record_id,
  text: row.text,
  namespace: row.namespace,
  strategyId: row.strategy_id,
  strategyVersion: row.strategy_version,
  actorId: row.actor_id,
  extractor: row.extractor,
  model: row.model,
  promptHash: row.prompt_hash,
  slot: row.slot_key === null || row.slot_value === null ? null : { key: row.slot_key, value: row.slot_value },
  sources: row.sources,
  statedAt: row.stated_at.toISOString(),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  supersededBy: row.superseded_by,
  validTo: row.valid_to?.toISOString() ?? null,
});

/** Writes a record whole, in the place of what was there under its id. */
export const writeSnapshot = async (
  manager: EntityManager,
  origin: {
    readonly tenantId: string;
    readonly memoryId: string;
    readonly eventId: string;
    readonly sessionKey: number | null;
  },
  record: RecordSnapshot,
): Promise<void> => {
  await upsertOwn(
    manager,
    `insert into records as r
       (record_id, tenant_id, memory_id, namespace, strategy_id, strategy_version, actor_id, session_key,
        text, fact_key, extractor, model, prompt_hash, event_id, created_at, updated_at,
        stated_at, slot_key, slot_value, keywords, superseded_by, valid_to)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)
     on conflict (record_id) do update
       set actor_id = excluded.actor_id, session_key = excluded.session_key, text = excluded.text,
           fact_key = excluded.fact_key, event_id = excluded.event_id, updated_at = excluded.updated_at,
           stated_at = excluded.stated_at, slot_key = excluded.slot_key, slot_value = excluded.slot_value,
           keywords = excluded.keywords, superseded_by = excluded.superseded_by, valid_to = excluded.valid_to
       where r.tenant_id = excluded.tenant_id and r.memory_id = excluded.memory_id
     returning record_id`,
    [
      record.recordId,
      origin.tenantId,
      origin.memoryId,
      record.namespace,
      record.strategyId,
      record.strategyVersion,
      record.actorId,
      origin.sessionKey,
      record.text,
      factKey(record.text),
      record.extractor,
      record.model,
      record.promptHash,
      origin.eventId,
      record.createdAt,
      record.updatedAt,
      record.statedAt,
      record.slot?.key ?? null,
      record.slot?.value ?? null,
      slotWords(record.slot),
      record.supersededBy,
      record.validTo,
    ],
    { expected: 1, field: 'recordId' },
  );
  await writeSources(manager, origin, record);
};

/** An event may be gone from the log while records rest on it; then rows that were written before know its session. */
const writeSources = async (
  manager: EntityManager,
  { tenantId, memoryId }: { readonly tenantId: string; readonly memoryId: string },
  { recordId, sources }: RecordSnapshot,
): Promise<void> => {
  const keys = await rowsOf<{ event_id: string; session_key: string }>(
    manager,
    `select event_id, max(session_key) as session_key from (
       select s.event_id, s.session_key from record_sources s join records r using (record_id)
        where s.event_id = any($1) and s.tenant_id = $2 and r.memory_id = $3
       union all
       select event_id, session_key from events where event_id = any($1) and tenant_id = $2 and memory_id = $3
     ) known where session_key is not null group by event_id`,
    [sources.map(({ eventId }) => eventId), tenantId, memoryId],
  );
  const keyOf = new Map(keys.map((row) => [row.event_id, row.session_key]));
  await rowsOf(manager, `delete from record_sources where record_id = $1 and tenant_id = $2`, [recordId, tenantId]);
  if (sources.length === 0) return;
  await rowsOf(
    manager,
    `insert into record_sources (record_id, tenant_id, event_id, session_key, sequence, role, quote)
     select $1, $2, t.event_id, t.session_key, t.sequence, t.role, t.quote
       from unnest($3::uuid[], $4::bigint[], $5::bigint[], $6::text[], $7::text[])
         as t(event_id, session_key, sequence, role, quote)
     on conflict do nothing`,
    [
      recordId,
      tenantId,
      sources.map(({ eventId }) => eventId),
      sources.map(({ eventId }) => keyOf.get(eventId) ?? null),
      sources.map(({ sequence }) => sequence),
      sources.map(({ role }) => role),
      sources.map(({ quote }) => quote),
    ],
  );
};
