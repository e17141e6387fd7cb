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
}

/** More evidence for a record that is already there. */
export interface ConfirmedRecord {
  readonly recordId: string;
  readonly sources: readonly RecordSource[];
}

/** A candidate that was not taken, and why. */
export interface RefusedCandidate {
  readonly text: string;
  /** `not_text`: holds a NUL or half of a surrogate pair, which no database keeps as text. */
  readonly reason: 'quote_not_in_event' | 'unknown_event' | 'empty' | 'too_long' | 'not_text';
}

/**
 * What one run of a strategy over one window of a session gave. It holds the raw answer, so that a rebuild
 * needs no model. It only adds: nothing here can delete or rewrite a record.
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
  readonly rawAnswer: string;
  readonly records: readonly ExtractedRecord[];
  readonly confirmed: readonly ConfirmedRecord[];
  readonly refused: readonly RefusedCandidate[];
}
