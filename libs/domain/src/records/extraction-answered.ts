/** Tokens of one model call, as reported by the endpoint. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/**
 * A model's answer for one window, appended before it is parsed. If the process dies, the model is not called again,
 * and an unusable answer can be inspected.
 */
export interface ExtractionAnswered {
  readonly strategyId: string;
  readonly strategyVersion: number;
  /** The window: session sequences, both included. */
  readonly fromSequence: number;
  readonly toSequence: number;
  /** Fingerprint of the messages that the model was shown, in order. The answer is valid only for these. */
  readonly shown: string;
  /**
   * The model was shown the session's rolling summary or existing records, so the answer may contain anything said
   * earlier.
   */
  readonly knowsSummary?: boolean;
  /** Ids of the existing records that the model was shown, in the order of their numbers. */
  readonly existing?: readonly string[];
  readonly extractor: string;
  readonly model: string | null;
  /** SHA-256 of the prompt, hex. */
  readonly promptHash: string;
  readonly rawAnswer: string;
  /** Null if the endpoint reported none. */
  readonly usage: TokenUsage | null;
  /** Why the answer is unusable, if known on arrival (a refusal, a broken connection); else null. */
  readonly failure: string | null;
}
