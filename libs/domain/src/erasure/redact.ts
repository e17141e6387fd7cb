import type { RecordsExtracted, RecordSource } from '../records/record-events.js';

/** What must not be found in a derived event any more. */
export interface Redaction {
  readonly eventIds: ReadonlySet<string>;
  readonly recordIds: ReadonlySet<string>;
  /** Oldest session sequence among the erased events: windows that end before it never saw any of them. */
  readonly fromSequence: number;
}

/**
 * A derived event without what it took from the erased events, or null when there was nothing of them in it. Its window
 * stays, so that the extracted ranges go on tiling the session. The raw answer and the refused candidates go whole: who
 * of the window said what is not known of them, and a window reads some events before it as well.
 */
export const redactExtraction = (data: RecordsExtracted, redaction: Redaction): RecordsExtracted | null => {
  const { eventIds, recordIds } = redaction;
  const kept = <R extends { readonly recordId: string; readonly sources: readonly RecordSource[] }>(
    records: readonly R[],
  ): R[] =>
    records
      .filter(({ recordId }) => !recordIds.has(recordId))
      .map((record) => ({ ...record, sources: record.sources.filter(({ eventId }) => !eventIds.has(eventId)) }))
      .filter(({ sources }) => sources.length > 0);
  const redacted: RecordsExtracted = {
    ...data,
    rawAnswer: '',
    records: kept(data.records),
    confirmed: kept(data.confirmed),
    superseded: data.superseded.filter(({ recordId, by }) => !recordIds.has(recordId) && !recordIds.has(by)),
    refused: [],
  };
  const sawThem = data.toSequence >= redaction.fromSequence;
  const untouched =
    JSON.stringify({ ...redacted, rawAnswer: 0, refused: 0 }) === JSON.stringify({ ...data, rawAnswer: 0, refused: 0 });
  if (untouched && (!sawThem || (data.rawAnswer === '' && data.refused.length === 0))) return null;
  return redacted;
};
