import type { EventTime } from './event-time.js';
import type { Slot } from './slot.js';

/** Where a record came from: one event and the words in it that say so. */
export interface RecordSource {
  readonly eventId: string;
  /** Session sequence of that event. */
  readonly sequence: number;
  readonly role: string;
  /** Verbatim part of the event's content. */
  readonly quote: string;
}

export interface ExtractedRecord {
  readonly recordId: string;
  /** One sentence in the third person. */
  readonly text: string;
  readonly namespace: string;
  readonly sources: readonly RecordSource[];
  /** When it was last stated: the newest of its sources' times (ISO 8601). */
  readonly statedAt: string;
  /** What it fills in where only one value can be true at a time; null for other facts. */
  readonly slot: Slot | null;
  /** The days it speaks of; absent where its words tell none. */
  readonly eventTime?: EventTime | null;
}

/** More evidence for a record that is already there. */
export interface ConfirmedRecord {
  readonly recordId: string;
  readonly sources: readonly RecordSource[];
  /** The newest of these sources' times (ISO 8601). */
  readonly statedAt: string;
}

/** A record that a later statement contradicts. It stays, out of default search; the pointer can be withdrawn. */
export interface SupersededRecord {
  readonly recordId: string;
  /** The record whose value is true now. */
  readonly by: string;
}

/** A candidate that was not taken, and why. */
export interface RefusedCandidate {
  readonly text: string;
  /**
   * - `not_text`: holds a NUL or half of a surrogate pair, which no database keeps as text
   * - `echo`: the agent only repeats what the user had said before
   * - `secret`: holds a card number, a password or the like
   * - `quote_does_not_carry`: the quotes share too few words with the fact
   * - `number_not_in_source`: a number or a date of the fact stands in no message that it cites
   * - `name_not_in_source`: a name of the fact stands in no message that it cites
   * - `only_context`: cites nothing but messages before the window, which was read already
   * - `too_many`: the window gave more facts than one window may give
   */
  readonly reason:
    | 'quote_not_in_event'
    | 'unknown_event'
    | 'only_context'
    | 'quote_does_not_carry'
    | 'number_not_in_source'
    | 'name_not_in_source'
    | 'empty'
    | 'too_long'
    | 'not_text'
    | 'echo'
    | 'secret'
    | 'too_many';
}

/**
 * What one run of a strategy over one window of a session gave. It holds the raw answer or names the event that does,
 * so that a rebuild needs no model. It only adds: nothing here can delete or rewrite a record.
 */
export interface RecordsExtracted {
  readonly strategyId: string;
  readonly strategyVersion: number;
  /** The window: session sequences, both included. Windows of one session and strategy tile 1..watermark. */
  readonly fromSequence: number;
  readonly toSequence: number;
  /** `offline-rules@<n>` or `openai-compatible`. */
  readonly extractor: string;
  readonly model: string | null;
  /** SHA-256 of the prompt, hex; of the rules' version for the offline extractor. */
  readonly promptHash: string;
  /** Empty where the answer has an event of its own. */
  readonly rawAnswer: string;
  /** The `extraction.answered` event that holds the raw answer; absent or null: it is here. */
  readonly answerEventId?: string | null;
  readonly records: readonly ExtractedRecord[];
  readonly confirmed: readonly ConfirmedRecord[];
  readonly superseded: readonly SupersededRecord[];
  readonly refused: readonly RefusedCandidate[];
  /** What the window adds to the session's rolling memory; of SUMMARY strategies only. */
  readonly rolling?: RollingWindow | null;
  /** Sentences that the rules did not read, by reason (`language`, `code`, …); absent where there were none. */
  readonly skipped?: Readonly<Record<string, number>>;
  /** Facts of the answer that named a record which the model was not shown; absent where there were none. */
  readonly unknownRelations?: number;
}

/** What one window adds to a session's rolling memory. */
export interface RollingWindow {
  /** Facts of the window: new records, then those that it confirmed. */
  readonly facts: readonly { readonly recordId: string; readonly text: string }[];
  /** The rolling summary from here on, as the model wrote it; null when there is none. */
  readonly summary: string | null;
  /** Completed turns of the window. */
  readonly turns: number;
  /** Messages of the window. */
  readonly items: number;
}
