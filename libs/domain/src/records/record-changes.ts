import type { RecordSource } from './record-events.js';
import type { EventTime } from './event-time.js';
import type { RecordDetails } from './record-details.js';
import type { Slot } from './slot.js';

/** Records inserted by a client, without an event as their source. */
export interface RecordsInserted {
  readonly records: readonly InsertedRecord[];
}

export interface InsertedRecord {
  readonly recordId: string;
  readonly text: string;
  readonly namespace: string;
  /** The strategy under which the records are filed; null if the client named none. */
  readonly strategyId: string | null;
}

/** A client corrected a record. */
export interface RecordCorrected {
  readonly recordId: string;
  readonly text: string;
}

/** Makes a record current again: the client states that its successor does not contradict it. */
export interface SupersessionWithdrawn {
  readonly recordId: string;
}

/** Records withdrawn on request, or because none of their sources is left. */
export interface RecordsWithdrawn {
  readonly recordIds: readonly string[];
  /**
   * - `requested`: a client deleted them
   * - `source_erased`: what they cited was erased
   * - `not_heard`: an interruption cut off what they cited
   */
  readonly reason: 'requested' | 'source_erased' | 'not_heard';
}

/**
 * Full copies of records in their current state. Appended if the events that created them are unavailable: erased while
 * the record has other sources, or in another installation's log.
 */
export interface RecordsCarriedOver {
  readonly records: readonly RecordSnapshot[];
}

export interface RecordSnapshot extends RecordDetails {
  readonly recordId: string;
  readonly text: string;
  readonly namespace: string;
  readonly strategyId: string | null;
  readonly strategyVersion: number | null;
  readonly actorId: string | null;
  readonly extractor: string;
  readonly model: string | null;
  readonly promptHash: string | null;
  readonly slot: Slot | null;
  readonly eventTime?: EventTime | null;
  readonly sources: readonly RecordSource[];
  readonly statedAt: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly supersededBy: string | null;
  readonly validTo: string | null;
}
