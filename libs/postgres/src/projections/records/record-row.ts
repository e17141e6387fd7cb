import type { RecordView } from '@turnkeeper/application';
import { timesSeen, type EventTime, type RecordDetails, type RecordSource } from '@turnkeeper/domain';
import { viewOf } from '../../connections/view.js';

/** The columns from which fields of a view are computed; the other columns are copied unchanged. */
export interface RecordRow extends EventTimeRow {
  record_id: string;
  text: string;
  created_at: Date;
  details: RecordDetails;
  stated_at: Date;
  sources: RecordSource[];
}

export interface EventTimeRow {
  event_from: string | null;
  event_to: string | null;
}

/** The sources of a record `r`. */
export const SOURCES = `
  coalesce((select json_agg(json_strip_nulls(json_build_object(
      'eventId', s.event_id, 'sequence', s.sequence, 'role', s.role, 'quote', s.quote,
      'context', nullif(s.is_context, false))) order by s.sequence, s.quote, s.event_id)
    from record_sources s where s.record_id = r.record_id and s.tenant_id = r.tenant_id), '[]') as sources`;

/** Columns of a record `r` with its sources. */
export const RECORD_COLUMNS = `
  r.record_id, r.memory_id, r.namespace, r.strategy_id, r.strategy_version, r.text, r.extractor, r.model,
  r.stated_at, r.event_from::text, r.event_to::text, r.created_at, r.updated_at, r.superseded_by, r.valid_to,
  r.details, ${SOURCES}`;

export const eventTimeOf = (row: EventTimeRow): EventTime | null =>
  row.event_from === null && row.event_to === null ? null : { from: row.event_from, to: row.event_to };

export const recordViewOf = ({
  details,
  stated_at: statedAt,
  event_from,
  event_to,
  ...row
}: RecordRow): RecordView => ({
  ...viewOf<Omit<RecordView, 'saidAt' | 'eventTime' | keyof RecordDetails | 'timesSeen'>>(row),
  category: details.category ?? null,
  subject: details.subject ?? null,
  attribute: details.attribute ?? null,
  strength: details.strength ?? null,
  data: details.data ?? null,
  doubts: details.doubts ?? [],
  saidAt: statedAt.toISOString(),
  eventTime: eventTimeOf({ event_from, event_to }),
  timesSeen: timesSeen(row.sources),
});
