import type { RecordSource } from './record-events.js';
import type { EventTime } from './event-time.js';
import type { Slot } from './slot.js';

/** Records that a caller states, without an event that says so. */
export interface RecordsInserted {
  readonly records: readonly InsertedRecord[];
}

export interface InsertedRecord {
  readonly recordId: string;
  readonly text: string;
  readonly namespace: string;
  /** The strategy under which it is filed; null when the caller named none. */
  readonly strategyId: string | null;
}

/** A person or program put a record right. */
export interface RecordCorrected {
  readonly recordId: string;
  readonly text: string;
}

/** A record is current again: the caller states that its successor does not contradict it. */
export interface SupersessionWithdrawn {
  readonly recordId: string;
}

/** Records that are gone: by request, or because nothing that they rest on is left. */
export interface RecordsWithdrawn {
  readonly recordIds: readonly string[];
  readonly reason: 'requested' | 'source_erased';
}

/**
 * Records as they are at this moment, whole. Written where the events that made them are not there to make them again:
 * they were erased while the record rests on others too, or they are in another installation's log.
 */
export interface RecordsCarriedOver {
  readonly records: readonly RecordSnapshot[];
}

export interface RecordSnapshot {
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
