import type { EventTime } from './event-time.js';
import type { RecordDetails } from './record-details.js';
import type { RecordSource } from './record-events.js';
import type { Slot } from './slot.js';

/** One fact proposed by an extractor. Untrusted: it may come from a model. */
export interface Candidate extends Omit<RecordDetails, 'doubts'> {
  readonly text: string;
  readonly sources: readonly CitedSource[];
  /** The days that the fact refers to, if its text names them. */
  readonly eventTime?: EventTime | null;
  /** Relations to existing records; those to records that the extractor was not shown are ignored. */
  readonly relations?: readonly Relation[];
}

/** A message that a candidate cites. */
export type CitedSource = Pick<RecordSource, 'eventId' | 'quote' | 'context'>;

/**
 * How a candidate relates to an existing record:
 *
 * - `same`: it states the same fact
 * - `extends`: it states the same fact with more detail
 * - `replaces`: the record is no longer true, because of this fact
 * - `ends`: the state, plan or request in the record is over, according to this fact
 * - `another`: a similar fact; both are true, e.g. a second visit
 */
export const RELATION_KINDS = ['same', 'extends', 'replaces', 'ends', 'another'] as const;
export type RelationKind = (typeof RELATION_KINDS)[number];

export interface Relation {
  readonly kind: RelationKind;
  /** Null if the extractor named a record that it was not shown. */
  readonly recordId: string | null;
}

/** One message of the window. */
export interface WindowMessage {
  readonly eventId: string;
  readonly sequence: number;
  readonly role: string;
  /** The speaker's name if the client gave one; else null. */
  readonly speaker: string | null;
  readonly content: string;
  /** When it was said (ISO 8601). */
  readonly at: string;
  /** Source reported by the voice platform (`asr`, `greeting`, `silence`, …); else null. */
  readonly source: string | null;
  /** An interruption cut it off, at an unknown place: what was heard of it is not certain. */
  readonly isCut?: boolean;
}

/** A current (not superseded) record of the namespace. */
export interface KnownRecord extends Pick<RecordDetails, 'category' | 'subject' | 'attribute'> {
  readonly recordId: string;
  readonly text: string;
  readonly statedAt: string;
  /** Session sequence of its newest statement, which orders statements with equal times; absent: 0. */
  readonly sequence?: number;
  readonly slot: Slot | null;
  readonly eventTime?: EventTime | null;
}
