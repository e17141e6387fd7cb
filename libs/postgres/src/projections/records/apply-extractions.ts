import { detailsOf, factKey, type LogEvent, type RecordSource } from '@turnkeeper/domain';
import type { EntityManager } from 'typeorm';
import { rowsOf } from '../../connections/database.js';
import { keywordsOf } from './keywords.js';

export type Extraction = Omit<LogEvent<'records.extracted'>, 'position'>;

/**
 * Stores the record changes of extractions in four statements, whatever their number. The result equals applying them
 * one by one in the given order.
 */
export const applyExtractions = async (manager: EntityManager, events: readonly Extraction[]): Promise<void> => {
  await insertRecords(manager, events);
  await insertSources(manager, events);
  await supersede(manager, events);
  await confirm(manager, events);
};

/** One array per column, computed from all rows. */
const columnsOf = <Row>(rows: readonly Row[], ...columns: readonly ((row: Row) => unknown)[]): unknown[][] =>
  columns.map((column) => rows.map(column));

const insertRecords = async (manager: EntityManager, events: readonly Extraction[]): Promise<void> => {
  const rows = events.flatMap((event) => event.data.records.map((record) => ({ event, record })));
  if (rows.length === 0) return;
  await rowsOf(
    manager,
    `insert into records
       (record_id, tenant_id, memory_id, namespace, strategy_id, strategy_version, actor_id, session_key,
        text, fact_key, extractor, model, prompt_hash, event_id, created_at, updated_at,
        stated_at, slot_key, slot_value, keywords, event_from, event_to, details)
     select t.record_id, t.tenant_id, t.memory_id, t.namespace, t.strategy_id, t.strategy_version, t.actor_id,
            t.session_key, t.text, t.fact_key, t.extractor, t.model, t.prompt_hash, t.event_id, t.recorded_at,
            t.recorded_at, t.stated_at, t.slot_key, t.slot_value, t.keywords, t.event_from, t.event_to,
            t.details
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::integer[], $7::text[], $8::bigint[],
                   $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::uuid[], $15::timestamptz[],
                   $16::timestamptz[], $17::text[], $18::text[], $19::text[], $20::date[], $21::date[],
                   $22::jsonb[])
         as t(record_id, tenant_id, memory_id, namespace, strategy_id, strategy_version, actor_id, session_key, text,
              fact_key, extractor, model, prompt_hash, event_id, recorded_at, stated_at, slot_key, slot_value, keywords,
              event_from, event_to, details)`,
    columnsOf(
      rows,
      ({ record }) => record.recordId,
      ({ event }) => event.tenantId,
      ({ event }) => event.memoryId,
      ({ record }) => record.namespace,
      ({ event }) => event.data.strategyId,
      ({ event }) => event.data.strategyVersion,
      ({ event }) => event.actorId,
      ({ event }) => event.sessionKey,
      ({ record }) => record.text,
      ({ record }) => factKey(record.text),
      ({ event }) => event.data.extractor,
      ({ event }) => event.data.model,
      ({ event }) => event.data.promptHash,
      ({ event }) => event.eventId,
      ({ event }) => event.recordedAt,
      ({ record }) => record.statedAt,
      ({ record }) => record.slot?.key ?? null,
      ({ record }) => record.slot?.value ?? null,
      ({ record }) => keywordsOf(record),
      ({ record }) => record.eventTime?.from ?? null,
      ({ record }) => record.eventTime?.to ?? null,
      ({ record }) => JSON.stringify(detailsOf(record)),
    ),
  );
};

const insertSources = async (manager: EntityManager, events: readonly Extraction[]): Promise<void> => {
  const sourcesOf = (
    event: Extraction,
    records: readonly { readonly recordId: string; readonly sources: readonly RecordSource[] }[],
  ) => records.flatMap(({ recordId, sources }) => sources.map((source) => ({ event, recordId, source })));
  const rows = events.flatMap((event) =>
    sourcesOf(event, [...event.data.records, ...event.data.confirmed, ...(event.data.continued ?? [])]),
  );
  if (rows.length === 0) return;
  await rowsOf(
    manager,
    // A quote that is context of one statement and a statement itself counts as a statement.
    `insert into record_sources as s (record_id, event_id, tenant_id, session_key, sequence, role, quote, is_context)
     select distinct on (t.record_id, t.event_id, t.quote) t.*
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::boolean[])
         as t(record_id, event_id, tenant_id, session_key, sequence, role, quote, is_context)
      order by t.record_id, t.event_id, t.quote, t.is_context
     on conflict (record_id, event_id, md5(quote), tenant_id) do update
       set is_context = false where s.is_context and not excluded.is_context`,
    columnsOf(
      rows,
      ({ recordId }) => recordId,
      ({ source }) => source.eventId,
      ({ event }) => event.tenantId,
      ({ event }) => event.sessionKey,
      ({ source }) => source.sequence,
      ({ source }) => source.role,
      ({ source }) => source.quote,
      ({ source }) => source.context === true,
    ),
  );
};

const confirmationsOf = (events: readonly Extraction[]) =>
  events.flatMap((event, n) => event.data.confirmed.map((record) => ({ event, n, ...record })));

/** Recording time of the last event about each record. The clock may have been set back between events. */
const lastTouchOf = (events: readonly Extraction[]): ReadonlyMap<string, string> =>
  new Map(
    events.flatMap(({ data, recordedAt }) =>
      [...data.confirmed, ...data.superseded].map(({ recordId }): [string, string] => [recordId, recordedAt]),
    ),
  );

/** Final supersession of each record. It takes effect when its superseder was stated, as far as known by then. */
const supersede = async (manager: EntityManager, events: readonly Extraction[]): Promise<void> => {
  const changes = events.flatMap((event, n) => event.data.superseded.map((change) => ({ event, n, ...change })));
  const last = [...new Map(changes.map((change) => [change.recordId, change])).values()];
  if (last.length === 0) return;
  const confirmations = confirmationsOf(events);
  const lastTouch = lastTouchOf(events);
  await rowsOf(
    manager,
    `update records r
        set superseded_by = t.by, updated_at = t.recorded_at,
            valid_to = (
              select greatest(b.stated_at, (
                select max(c.stated_at)
                  from unnest($7::uuid[], $8::integer[], $9::timestamptz[]) as c(record_id, n, stated_at)
                 where c.record_id = t.by and c.n <= t.n))
                from records b where b.record_id = t.by and b.tenant_id = t.tenant_id)
       from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::uuid[], $5::uuid[], $6::integer[])
         as t(record_id, by, recorded_at, tenant_id, memory_id, n)
      where r.record_id = t.record_id and r.tenant_id = t.tenant_id and r.memory_id = t.memory_id`,
    [
      ...columnsOf(
        last,
        ({ recordId }) => recordId,
        ({ by }) => by,
        ({ recordId, event }) => lastTouch.get(recordId) ?? event.recordedAt,
        ({ event }) => event.tenantId,
        ({ event }) => event.memoryId,
        ({ n }) => n,
      ),
      ...columnsOf(
        confirmations,
        ({ recordId }) => recordId,
        ({ n }) => n,
        ({ statedAt }) => statedAt,
      ),
    ],
  );
};

const confirm = async (manager: EntityManager, events: readonly Extraction[]): Promise<void> => {
  const confirmations = confirmationsOf(events);
  if (confirmations.length === 0) return;
  const lastTouch = lastTouchOf(events);
  await rowsOf(
    manager,
    `update records r set updated_at = t.touched_at, stated_at = greatest(r.stated_at, t.stated_at)
       from (
         select c.record_id, c.tenant_id, c.memory_id, min(c.touched_at) as touched_at, max(c.stated_at) as stated_at
           from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::timestamptz[])
             as c(record_id, tenant_id, memory_id, touched_at, stated_at)
          group by c.record_id, c.tenant_id, c.memory_id
       ) t
      where r.record_id = t.record_id and r.tenant_id = t.tenant_id and r.memory_id = t.memory_id`,
    columnsOf(
      confirmations,
      ({ recordId }) => recordId,
      ({ event }) => event.tenantId,
      ({ event }) => event.memoryId,
      ({ recordId, event }) => lastTouch.get(recordId) ?? event.recordedAt,
      ({ statedAt }) => statedAt,
    ),
  );
};
