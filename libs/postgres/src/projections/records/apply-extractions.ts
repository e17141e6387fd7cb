import type { LogEvent, RecordSource } from '@turnkeeper/domain';
import type { EntityManager } from 'typeorm';
import { rowsOf } from '../../connections/database.js';
import { columnsOf } from '../../connections/columns.js';
import { insertRecords } from './record-snapshot.js';

export type Extraction = Omit<LogEvent<'records.extracted'>, 'position'>;

/**
 * Stores the record changes of extractions in four statements, whatever their number. The result equals applying them
 * one by one in the given order.
 */
export const applyExtractions = async (manager: EntityManager, events: readonly Extraction[]): Promise<void> => {
  await insertExtracted(manager, events);
  await insertSources(manager, events);
  await supersede(manager, events);
  await confirm(manager, events);
};

const insertExtracted = async (manager: EntityManager, events: readonly Extraction[]): Promise<void> => {
  const rows = events.flatMap(({ data, actorId, recordedAt, ...origin }) => {
    const times = { createdAt: recordedAt, updatedAt: recordedAt, supersededBy: null, validTo: null };
    return data.records.map((record) => ({ ...origin, record: { ...data, ...record, ...times, actorId } }));
  });
  if (rows.length > 0) await insertRecords(manager, rows);
};

interface CitedEvent {
  readonly event: Extraction;
  readonly recordId: string;
  readonly source: RecordSource;
}

const SOURCES = columnsOf<CitedEvent>([
  ['record_id', 'uuid', ({ recordId }) => recordId],
  ['event_id', 'uuid', ({ source }) => source.eventId],
  ['tenant_id', 'uuid', ({ event }) => event.tenantId],
  ['session_key', 'bigint', ({ event }) => event.sessionKey],
  ['sequence', 'bigint', ({ source }) => source.sequence],
  ['role', 'text', ({ source }) => source.role],
  ['quote', 'text', ({ source }) => source.quote],
  ['is_context', 'boolean', ({ source }) => source.context === true],
]);

const insertSources = async (manager: EntityManager, events: readonly Extraction[]): Promise<void> => {
  const rows = events.flatMap((event) =>
    [...event.data.records, ...event.data.confirmed, ...(event.data.continued ?? [])].flatMap(({ recordId, sources }) =>
      sources.map((source) => ({ event, recordId, source })),
    ),
  );
  if (rows.length === 0) return;
  await rowsOf(
    manager,
    // A quote that is context of one statement and a statement itself counts as a statement.
    `insert into record_sources as s (${SOURCES.names})
     select distinct on (t.record_id, t.event_id, t.quote) t.* from ${SOURCES.t}
      order by t.record_id, t.event_id, t.quote, t.is_context
     on conflict (record_id, event_id, md5(quote), tenant_id) do update
       set is_context = false where s.is_context and not excluded.is_context`,
    SOURCES.valuesOf(rows),
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
      last.map(({ recordId }) => recordId),
      last.map(({ by }) => by),
      last.map(({ recordId, event }) => lastTouch.get(recordId) ?? event.recordedAt),
      last.map(({ event }) => event.tenantId),
      last.map(({ event }) => event.memoryId),
      last.map(({ n }) => n),
      confirmations.map(({ recordId }) => recordId),
      confirmations.map(({ n }) => n),
      confirmations.map(({ statedAt }) => statedAt),
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
    [
      confirmations.map(({ recordId }) => recordId),
      confirmations.map(({ event }) => event.tenantId),
      confirmations.map(({ event }) => event.memoryId),
      confirmations.map(({ recordId, event }) => lastTouch.get(recordId) ?? event.recordedAt),
      confirmations.map(({ statedAt }) => statedAt),
    ],
  );
};
