import type { EventDataByType } from '../log/log-event.js';
import type { RecordSource, RollingWindow } from '../records/record-events.js';

/** What must not be found in a derived event any more. */
export interface Redaction {
  /** Erased events. */
  readonly eventIds: ReadonlySet<string>;
  /** Records that are gone. */
  readonly withdrawn: ReadonlySet<string>;
  /** Records that are carried over anew, so that older accounts of them are not needed. */
  readonly carried: ReadonlySet<string>;
}

/** Types of events that repeat what other events or callers said. */
export const DERIVED_TYPES = [
  'extraction.answered',
  'records.extracted',
  'records.inserted',
  'records.carried_over',
  'record.corrected',
] as const;
export type DerivedType = (typeof DERIVED_TYPES)[number];
type DerivedEvent = { [T in DerivedType]: { readonly type: T; readonly data: EventDataByType[T] } }[DerivedType];

/** Most events before its window that an extraction is shown for understanding. */
export const MAX_CONTEXT_EVENTS = 100;

/**
 * A derived event without what it took from what is erased, or null when there was nothing of it in it. The event itself
 * stays: the windows of extractions go on tiling their session.
 */
export const redactDerived = (event: DerivedEvent, redaction: Redaction): EventDataByType[DerivedType] | null => {
  const redacted = redactedData(event, redaction);
  return JSON.stringify(redacted) === JSON.stringify(event.data) ? null : redacted;
};

const redactedData = (event: DerivedEvent, { eventIds, withdrawn, carried }: Redaction) => {
  const stays = ({ recordId }: { readonly recordId: string }): boolean => !withdrawn.has(recordId);
  switch (event.type) {
    // Answers and refused candidates go whole: which of the messages they repeat is not known of them.
    case 'extraction.answered':
      return { ...event.data, rawAnswer: '' };
    case 'records.extracted': {
      const kept = <R extends { readonly recordId: string; readonly sources: readonly RecordSource[] }>(
        records: readonly R[],
      ): R[] =>
        records
          .filter(stays)
          .map((record) => ({ ...record, sources: record.sources.filter(({ eventId }) => !eventIds.has(eventId)) }))
          .filter(({ sources }) => sources.length > 0);
      const records = kept(event.data.records);
      const confirmed = kept(event.data.confirmed);
      return {
        ...event.data,
        rawAnswer: '',
        refused: [],
        records,
        confirmed,
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

/** A summary goes whole, like an answer. Facts stay with their records. */
const redactedWindow = (window: RollingWindow, kept: readonly { readonly recordId: string }[]): RollingWindow => {
  const ids = new Set(kept.map(({ recordId }) => recordId));
  return { ...window, summary: null, facts: window.facts.filter(({ recordId }) => ids.has(recordId)) };
};
