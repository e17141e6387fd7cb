import type { Candidate, StrategyType, WindowMessage } from '@turnkeeper/domain';

export interface ExtractionInput {
  readonly tenantId: string;
  readonly strategyType: StrategyType;
  readonly strategyVersion: number;
  readonly customPrompt: string | null;
  /** Messages before the window, for understanding only: nothing may be extracted from them. */
  readonly context: readonly WindowMessage[];
  /** The messages to extract from, oldest first. */
  readonly messages: readonly WindowMessage[];
}

/** What an extractor gave. Untrusted until `admit` has looked at it. */
export interface ExtractionAnswer {
  readonly extractor: string;
  readonly model: string | null;
  readonly promptHash: string;
  readonly rawAnswer: string;
  readonly candidates: readonly Candidate[];
  /** What the answer cost, as the endpoint counted it; missing or null when it did not, or when no model was asked. */
  readonly usage?: TokenUsage | null;
}

/** Tokens of one model call. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/**
 * Reads a window and names what is worth remembering.
 * Rejects with `ExtractionFailed`; never answers "no facts" for an answer it could not read.
 */
export interface Extractor {
  extract(input: ExtractionInput, signal: AbortSignal): Promise<ExtractionAnswer>;
}

/** The extractor could not give an answer that can be used. */
export class ExtractionFailed extends Error {
  constructor(
    /** `model.unreachable`, `model.timeout`, `model.rate_limited`, `model.refused`, `model.unreadable_answer`, … */
    readonly code: string,
    message: string,
    /** The answer as it came, for the operator; null when there was none. */
    readonly rawAnswer: string | null,
    /** Wait at least this long before the next try. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
    this.name = 'ExtractionFailed';
  }
}
