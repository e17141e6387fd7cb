import type { EventTime } from './event-time.js';
import type { RecordDetails } from './record-details.js';
import type { Slot } from './slot.js';

/** The source of a record: one event and the quote that supports it. */
export interface RecordSource {
  readonly eventId: string;
  /** Session sequence of that event. */
  readonly sequence: number;
  readonly role: string;
  /** Verbatim excerpt of the event's content. */
  readonly quote: string;
  /**
   * True if the event explains the fact but does not state it: the question that it answers, or what the speaker adds
   * to it in the same exchange. A record cannot rest on such sources alone.
   */
  readonly context?: boolean | undefined;
}

/** The sources that state the fact. */
export const statementsIn = <S extends Pick<RecordSource, 'context'>>(sources: readonly S[]): S[] =>
  sources.filter(({ context }) => context !== true);

export interface ExtractedRecord extends RecordDetails {
  readonly recordId: string;
  /** One sentence in the third person. */
  readonly text: string;
  readonly namespace: string;
  readonly sources: readonly RecordSource[];
  /**
   * When it was last stated: the newest time among the sources that state it (ISO 8601). If it extends a record of an
   * event in the past: that record's time.
   */
  readonly statedAt: string;
  /** The slot that it fills, if only one value can be true at a time; else null. */
  readonly slot: Slot | null;
  /** The days that it refers to; absent if its text names none. */
  readonly eventTime?: EventTime | null;
}

/** New sources for an existing record. */
export interface ConfirmedRecord {
  readonly recordId: string;
  readonly sources: readonly RecordSource[];
  /**
   * The newest time among these sources, without their context (ISO 8601). For a record of an event in the past, when it
   * was stated before: telling of it again does not make it newer.
   */
  readonly statedAt: string;
}

/**
 * Context for an existing record: the exchange around its fact went on in a later window. The fact was not stated again.
 */
export interface ContinuedRecord {
  readonly recordId: string;
  readonly sources: readonly RecordSource[];
}

/**
 * A record contradicted by a later statement. It is kept but excluded from default search; the supersession can be
 * withdrawn.
 */
export interface SupersededRecord {
  readonly recordId: string;
  /** The record that holds the current value. */
  readonly by: string;
}

/** A candidate that was not accepted, and the reason. */
export interface RefusedCandidate {
  readonly text: string;
  /**
   * - `not_text`: contains a NUL or a lone surrogate, which databases cannot store as text
   * - `secret`: contains a card number, a password or similar, or answers a question for one
   * - `quote_does_not_carry`: the quotes are single letters, or only context
   * - `number_contradicts_source`: it has another number than the quotes have in its place
   * - `only_context`: cites only messages before the window, which were already read
   * - `too_many`: the window gave more facts than the maximum per window
   * - `echo`, `number_not_in_source`, `name_not_in_source`: reasons of earlier releases
   */
  readonly reason:
    | 'quote_not_in_event'
    | 'unknown_event'
    | 'only_context'
    | 'quote_does_not_carry'
    | 'number_contradicts_source'
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
 * The result of one run of a strategy over one window of a session. Contains the raw answer or the id of the event that
 * does, so a rebuild needs no model. It only adds: it cannot delete or rewrite a record.
 */
export interface RecordsExtracted {
  readonly strategyId: string;
  readonly strategyVersion: number;
  /**
   * The window: session sequences, both included. Windows of one session and strategy cover 1..watermark without gaps.
   */
  readonly fromSequence: number;
  readonly toSequence: number;
  /** `notes@<n>`, `openai-compatible`, or `offline-rules@<n>` of earlier releases. */
  readonly extractor: string;
  readonly model: string | null;
  /** SHA-256 of the prompt, hex; for notes, of their version. */
  readonly promptHash: string;
  /** Empty if the answer has its own event. */
  readonly rawAnswer: string;
  /** The `extraction.answered` event that contains the raw answer; absent or null if `rawAnswer` does. */
  readonly answerEventId?: string | null;
  readonly records: readonly ExtractedRecord[];
  readonly confirmed: readonly ConfirmedRecord[];
  /** Absent if there are none. */
  readonly continued?: readonly ContinuedRecord[];
  readonly superseded: readonly SupersededRecord[];
  readonly refused: readonly RefusedCandidate[];
  /** The window's contribution to the state carried over between windows; only for strategies with a summary. */
  readonly rolling?: RollingWindow | null;
  /** What the extractor left out, by reason (`secret`, `instructions`, `malformed`, …); absent if nothing. */
  readonly skipped?: Readonly<Record<string, number>>;
  /** Number of relations that were ignored: to a record that was not shown, or about another person; absent if none. */
  readonly unknownRelations?: number;
}

/** One window's contribution to a session's rolling memory. */
export interface RollingWindow {
  /** Facts of the window: new records first, then confirmed ones. */
  readonly facts: readonly { readonly recordId: string; readonly text: string }[];
  /** The new rolling summary as the model wrote it; null if there is none. */
  readonly summary: string | null;
  /** Number of completed turns in the window. */
  readonly turns: number;
  /** Number of messages in the window. */
  readonly items: number;
}
