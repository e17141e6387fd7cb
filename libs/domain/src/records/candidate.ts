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
  /** Relation to an existing record; ignored unless the extractor was shown that record. */
  readonly relation?: Relation | null;
}

/** A message that a candidate cites. */
export type CitedSource = Pick<RecordSource, 'eventId' | 'quote' | 'context'>;

/** How a candidate relates to an existing record. */
export interface Relation {
  /** `same`: restates it; `replaces`: the candidate makes it obsolete. */
  readonly kind: 'same' | 'replaces';
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
}

/** A current (not superseded) record of the namespace. */
export interface KnownRecord {
  readonly recordId: string;
  readonly text: string;
  readonly statedAt: string;
  readonly slot: Slot | null;
  /** At least one source is the user's own statement. */
  readonly saidByUser: boolean;
}

/** Maximum length of a record in characters (AgentCore's limit for record content). */
export const MAX_RECORD_LENGTH = 16_000;
