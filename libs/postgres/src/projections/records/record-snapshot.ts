import type { MemoryScope, RecordOrigin } from '@turnkeeper/application';
import { detailsOf, factKey, type RecordDetails, type RecordSnapshot } from '@turnkeeper/domain';
import type { EntityManager } from 'typeorm';
import { columnsOf } from '../../connections/columns.js';
import { rowsOf } from '../../connections/database.js';
import { upsertOwn } from '../../connections/own-rows.js';
import { oneAtATime } from '../../connections/one-at-a-time.js';
import { inBatches } from '../../connections/pacer.js';
import { viewOf } from '../../connections/view.js';
import { keywordsOf } from './keywords.js';
import { eventTimeOf, SOURCES } from './record-row.js';
import { sqlOf } from '../../connections/sql.js';

/** The columns from which fields of a snapshot are computed; the other columns are copied unchanged. */
export interface SnapshotRow {
  slot_key: string | null;
  slot_value: string | null;
  event_from: string | null;
  event_to: string | null;
  details: RecordDetails;
}

/** All data of a record `r`. */
export const SNAPSHOT_COLUMNS = `
  r.record_id, r.text, r.namespace, r.strategy_id, r.strategy_version, r.actor_id, r.extractor, r.model, r.prompt_hash,
  r.slot_key, r.slot_value, r.stated_at, r.created_at, r.updated_at, r.superseded_by, r.valid_to,
  r.event_from::text, r.event_to::text, r.details, ${SOURCES}`;

export const snapshotOf = ({
  slot_key: key,
  slot_value: value,
  event_from,
  event_to,
  details,
  ...row
}: SnapshotRow): RecordSnapshot => ({
  ...viewOf<Omit<RecordSnapshot, 'slot' | 'eventTime' | keyof RecordDetails>>(row),
  ...details,
  slot: key === null || value === null ? null : { key, value },
  eventTime: eventTimeOf({ event_from, event_to }),
});

/**
 * Maximum records per statement. Before the next one, the process pauses for as long as the last one took, which leaves
 * half of the CPU and disk time to other writers.
 */
const AT_ONCE = 50;
/** Maximum pause, well below the time that a transaction may be idle. */
const LONGEST_PAUSE_MS = 200;
/** Batches of concurrent requests take turns, each within a transaction that may not be idle for 2 s. */
const oneBatch = oneAtATime({ stuckMs: 200, longestWaitMs: 1_000 });

/** Writes complete records, replacing existing ones with the same ids. */
export const writeSnapshots = async (
  manager: EntityManager,
  origin: RecordOrigin,
  records: readonly RecordSnapshot[],
): Promise<void> => {
  // A statement can write a row only once. Of two records with one id, the later one wins.
  const latest = [...new Map(records.map((record) => [record.recordId, record])).values()];
  await inBatches(latest, { atOnce: AT_ONCE, mostMs: LONGEST_PAUSE_MS }, (batch) =>
    oneBatch(async () => {
      await writeRecords(manager, origin, batch);
      await writeSources(manager, origin, batch);
    }),
  );
};

interface RecordToWrite extends RecordOrigin {
  readonly record: RecordSnapshot;
}

const COLUMNS = columnsOf<RecordToWrite>([
  ['tenant_id', 'uuid', ({ tenantId }) => tenantId],
  ['memory_id', 'uuid', ({ memoryId }) => memoryId],
  ['event_id', 'uuid', ({ eventId }) => eventId],
  ['session_key', 'bigint', ({ sessionKey }) => sessionKey],
  ['record_id', 'uuid', ({ record }) => record.recordId],
  ['namespace', 'text', ({ record }) => record.namespace],
  ['strategy_id', 'uuid', ({ record }) => record.strategyId],
  ['strategy_version', 'integer', ({ record }) => record.strategyVersion],
  ['actor_id', 'text', ({ record }) => record.actorId],
  ['text', 'text', ({ record }) => record.text],
  ['fact_key', 'text', ({ record }) => factKey(record.text)],
  ['extractor', 'text', ({ record }) => record.extractor],
  ['model', 'text', ({ record }) => record.model],
  ['prompt_hash', 'text', ({ record }) => record.promptHash],
  ['created_at', 'timestamptz', ({ record }) => record.createdAt],
  ['updated_at', 'timestamptz', ({ record }) => record.updatedAt],
  ['stated_at', 'timestamptz', ({ record }) => record.statedAt],
  ['slot_key', 'text', ({ record }) => record.slot?.key ?? null],
  ['slot_value', 'text', ({ record }) => record.slot?.value ?? null],
  ['keywords', 'text', ({ record }) => keywordsOf(record)],
  ['event_from', 'date', ({ record }) => record.eventTime?.from ?? null],
  ['event_to', 'date', ({ record }) => record.eventTime?.to ?? null],
  ['details', 'jsonb', ({ record }) => JSON.stringify(detailsOf(record))],
  ['superseded_by', 'uuid', ({ record }) => record.supersededBy],
  ['valid_to', 'timestamptz', ({ record }) => record.validTo],
]);
const INSERT_RECORDS = `insert into records as r (${COLUMNS.names}) select * from ${COLUMNS.t}`;
const WRITE_RECORDS = `${INSERT_RECORDS}
  on conflict (record_id, tenant_id) do update
    set event_id = excluded.event_id, session_key = excluded.session_key, actor_id = excluded.actor_id,
        text = excluded.text, fact_key = excluded.fact_key, updated_at = excluded.updated_at,
        stated_at = excluded.stated_at, slot_key = excluded.slot_key, slot_value = excluded.slot_value,
        keywords = excluded.keywords, event_from = excluded.event_from, event_to = excluded.event_to,
        details = excluded.details, superseded_by = excluded.superseded_by, valid_to = excluded.valid_to
    where r.memory_id = excluded.memory_id
  returning record_id`;

/** Of records that do not exist yet. */
export const insertRecords = (manager: EntityManager, rows: readonly RecordToWrite[]): Promise<unknown[]> =>
  rowsOf(manager, INSERT_RECORDS, COLUMNS.valuesOf(rows));

const writeRecords = async (
  manager: EntityManager,
  origin: RecordOrigin,
  records: readonly RecordSnapshot[],
): Promise<void> => {
  const rows = records.map((record) => ({ ...origin, record }));
  await upsertOwn(manager, WRITE_RECORDS, COLUMNS.valuesOf(rows), { expected: records.length, field: 'recordId' });
};

/** An event may be gone from the log while records rest on it. Then the session is taken from existing rows. */
const sessionKeysOf = async (
  manager: EntityManager,
  { tenantId, memoryId }: MemoryScope,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (eventIds.length === 0) return new Map();
  const keys = await sqlOf<{ event_id: string; session_key: string }>(manager)`
    select event_id, max(session_key) as session_key from (
      select s.event_id, s.session_key from record_sources s join records r using (record_id, tenant_id)
       where s.event_id = any(${[...eventIds]}) and s.tenant_id = ${tenantId} and r.memory_id = ${memoryId}
      union all
      select event_id, session_key from events where event_id = any(${[...eventIds]}) and tenant_id = ${tenantId}
        and memory_id = ${memoryId}
    ) known where session_key is not null group by event_id`;
  return new Map(keys.map((row) => [row.event_id, row.session_key]));
};

const writeSources = async (
  manager: EntityManager,
  { tenantId, memoryId }: MemoryScope,
  records: readonly RecordSnapshot[],
): Promise<void> => {
  const sources = records.flatMap(({ recordId, sources: list }) => list.map((source) => ({ recordId, ...source })));
  const eventIds = [...new Set(sources.map(({ eventId }) => eventId))];
  const keyOf = await sessionKeysOf(manager, { tenantId, memoryId }, eventIds);
  await sqlOf(manager)`
    delete from record_sources where record_id = any(${records.map(({ recordId }) => recordId)})
      and tenant_id = ${tenantId}`;
  if (sources.length === 0) return;
  await sqlOf(manager)`
    insert into record_sources (tenant_id, record_id, event_id, session_key, sequence, role, quote, is_context)
     select ${tenantId}, t.record_id, t.event_id, t.session_key, t.sequence, t.role, t.quote, t.is_context
       from unnest(${sources.map(({ recordId }) => recordId)}::uuid[], ${sources.map(({ eventId }) => eventId)}::uuid[],
         ${sources.map(({ eventId }) => keyOf.get(eventId) ?? null)}::bigint[],
           ${sources.map(({ sequence }) => sequence)}::bigint[], ${sources.map(({ role }) => role)}::text[],
             ${sources.map(({ quote }) => quote)}::text[], ${sources.map(({ context }) => context === true)}::boolean[])
         as t(record_id, event_id, session_key, sequence, role, quote, is_context)
     on conflict do nothing`;
};
