import type { RecordView } from '@turnkeeper/application';
import {
  strategyKind,
  strengthOf,
  timesSeen,
  type EventTime,
  type RecordSource,
  type StrategyType,
} from '@turnkeeper/domain';

export interface RecordRow {
  record_id: string;
  memory_id: string;
  namespace: string;
  strategy_id: string | null;
  strategy_version: number | null;
  strategy_type: StrategyType | null;
  text: string;
  extractor: string;
  model: string | null;
  stated_at: Date;
  event_from: string | null;
  event_to: string | null;
  created_at: Date;
  updated_at: Date;
  sources: RecordSource[];
  superseded_by: string | null;
  valid_to: Date | null;
}

/** Columns of a record `r` with its sources. */
export const RECORD_COLUMNS = `
  r.record_id, r.memory_id, r.namespace, r.strategy_id, r.strategy_version, r.text, r.extractor, r.model,
  r.stated_at, r.event_from::text, r.event_to::text, r.created_at, r.updated_at, r.superseded_by, r.valid_to,
  (select st.type from strategies st where st.strategy_id = r.strategy_id) as strategy_type,
  coalesce((select json_agg(json_strip_nulls(json_build_object(
      'eventId', s.event_id, 'sequence', s.sequence, 'role', s.role, 'quote', s.quote,
      'context', nullif(s.is_context, false))) order by s.sequence, s.quote)
    from record_sources s where s.record_id = r.record_id and s.tenant_id = r.tenant_id), '[]') as sources`;

export const eventTimeOf = (row: Pick<RecordRow, 'event_from' | 'event_to'>): EventTime | null =>
  row.event_from === null && row.event_to === null ? null : { from: row.event_from, to: row.event_to };

export const recordViewOf = (row: RecordRow): RecordView => ({
  recordId: row.record_id,
  memoryId: row.memory_id,
  namespace: row.namespace,
  strategyId: row.strategy_id,
  strategyVersion: row.strategy_version,
  text: row.text,
  extractor: row.extractor,
  model: row.model,
  saidAt: row.stated_at.toISOString(),
  eventTime: eventTimeOf(row),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  // Computed from the current text, so that it reflects corrections.
  strength: row.strategy_type !== null && strategyKind(row.strategy_type).strength ? strengthOf(row.text) : null,
  timesSeen: timesSeen(row.sources),
  sources: row.sources,
  supersededBy: row.superseded_by,
  validTo: row.valid_to?.toISOString() ?? null,
});
