import type { EventDataByType } from '../log/log-event.js';
import { type RecordSource, type RollingWindow, statementsIn } from '../records/record-events.js';

/** What must be removed from derived events. */
export interface Redaction {
  /** Ids of erased events. */
  readonly eventIds: ReadonlySet<string>;
  /** Ids of withdrawn records. */
  readonly withdrawn: ReadonlySet<string>;
  /** Ids of records carried over again, whose earlier copies are not needed. */
  readonly carried: ReadonlySet<string>;
}

/** Event types that repeat content from other events or callers. */
export const DERIVED_TYPES = [
  'extraction.answered',
  'records.extracted',
  'records.inserted',
  'records.carried_over',
  'record.corrected',
] as const;
export type DerivedType = (typeof DERIVED_TYPES)[number];
type DerivedEvent = { [T in DerivedType]: { readonly type: T; readonly data: EventDataByType[T] } }[DerivedType];

/** Maximum number of events before its window that an extraction is given as context. */
export const MAX_CONTEXT_EVENTS = 100;

/**
 * Returns a derived event without content taken from the erased events, or null if it contains none. The event itself
 * is kept, so that extraction windows still cover the session without gaps.
 */
export const redactDerived = (event: DerivedEvent, redaction: Redaction): EventDataByType[DerivedType] | null => {
  const redacted = redactedData(event, redaction);
  return JSON.stringify(redacted) === JSON.stringify(event.data) ? null : redacted;
};

const redactedData = (event: DerivedEvent, { eventIds, withdrawn, carried }: Redaction) => {
  const stays = ({ recordId }: { readonly recordId: string }): boolean => !withdrawn.has(recordId);
  switch (event.type) {
    // Answers and refused candidates are removed as a whole: they do not record which messages they repeat.
    case 'extraction.answered':
      return { ...event.data, rawAnswer: '' };
    case 'records.extracted': {
      const withoutErased = (sources: readonly RecordSource[]): RecordSource[] =>
        sources.filter(({ eventId }) => !eventIds.has(eventId));
      const kept = <R extends { readonly recordId: string; readonly sources: readonly RecordSource[] }>(
        records: readonly R[],
      ): R[] =>
        records
          .filter(stays)
          .map((record) => ({ ...record, sources: withoutErased(record.sources) }))
          .filter(({ sources }) => statementsIn(sources).length > 0);
      const continued = (event.data.continued ?? [])
        .filter(stays)
        .map((record) => ({ ...record, sources: withoutErased(record.sources) }))
        .filter(({ sources }) => sources.length > 0);
      const records = kept(event.data.records);
      const confirmed = kept(event.data.confirmed);
      return {
        ...event.data,
        rawAnswer: '',
        refused: [],
        records,
        confirmed,
        ...(event.data.continued === undefined ? {} : { continued }),
        ...(event.data.rolling === undefined || event.data.rolling === null
          ? {}
          : { rolling: redactedWindow(event.data.rolling, [...records, ...confirmed]) }),
      };
    }
    case 'records.inserted':
      return { records: event.data.records.filter(stays) };
    case 'records.carried_over':
      return { records: event.data.records.filter((record) => stays(record) && !carried.has(record.recordId)) };
    case 'record.corrected':
      return stays(event.data) ? event.data : { ...event.data, text: '' };
  }
};

/** Like an answer, a summary is removed as a whole. Facts are kept if their records are. */
const redactedWindow = (window: RollingWindow, kept: readonly { readonly recordId: string }[]): RollingWindow => {
  const ids = new Set(kept.map(({ recordId }) => recordId));
  return { ...window, summary: null, facts: window.facts.filter(({ recordId }) => ids.has(recordId)) };
};
