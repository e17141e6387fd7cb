/** Tokens of one model call, as the endpoint counted them. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/**
 * What a model said about one window, written down before anybody reads it: whatever becomes of the process, the model
 * is not asked twice, and an answer that cannot be used can be looked at.
 */
export interface ExtractionAnswered {
  readonly strategyId: string;
  readonly strategyVersion: number;
  /** The window: session sequences, both included. */
  readonly fromSequence: number;
  readonly toSequence: number;
  /** Stands for the messages that the model was shown, in their order: the answer is about these and no others. */
  readonly shown: string;
  /**
   * The model was shown the session's rolling summary or existing records: the answer may hold anything that was said
   * before.
   */
  readonly knowsSummary?: boolean;
  /** Ids of the existing records that the model was shown, in the order of their numbers. */
  readonly existing?: readonly string[];
  readonly extractor: string;
  readonly model: string | null;
  /** SHA-256 of the prompt, hex. */
  readonly promptHash: string;
  readonly rawAnswer: string;
  /** Null when the endpoint did not say. */
  readonly usage: TokenUsage | null;
  /** Why it cannot be used, where that was known when it came (a refusal, a broken connection); else null. */
  readonly failure: string | null;
}
