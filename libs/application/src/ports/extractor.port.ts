import type { Candidate, StrategyType, TokenUsage, WindowMessage } from '@turnkeeper/domain';

export interface ExtractionInput {
  readonly tenantId: string;
  readonly strategyType: StrategyType;
  readonly strategyVersion: number;
  readonly customPrompt: string | null;
  /** SUMMARY only: the rolling summary up to the window, where there is one. */
  readonly summary?: string | null;
  /** Messages before the window, for understanding only: nothing may be extracted from them. */
  readonly context: readonly WindowMessage[];
  /** The messages to extract from, oldest first. */
  readonly messages: readonly WindowMessage[];
  /** Current records of the namespace that are most like the window: what an answer may confirm or replace. */
  readonly existing?: readonly ExistingRecord[];
}

/** A record that an extractor is shown. */
export interface ExistingRecord {
  readonly recordId: string;
  readonly text: string;
  /** When it was last stated (ISO 8601). */
  readonly statedAt: string;
}

/** An extractor's answer before it is read. */
export interface RawAnswer {
  /** The extractor's `name`. */
  readonly extractor: string;
  readonly model: string | null;
  readonly promptHash: string;
  readonly rawAnswer: string;
  /** What it cost, as the endpoint counted it; null when it did not, or when no model was asked. */
  readonly usage: TokenUsage | null;
}

/** What an answer says. Untrusted until `admit` has looked at it. */
export interface ReadAnswer {
  readonly candidates: readonly Candidate[];
  /** SUMMARY only: the rolling summary with the window taken in, where the extractor makes one. */
  readonly summary?: string | null;
  /** Sentences that the rules did not read, by reason; of extractors that say so. */
  readonly skipped?: Readonly<Record<string, number>>;
}

/**
 * Reads a window and names what is worth remembering, in two steps, so that an answer can be stored in between.
 * Both reject with `ExtractionFailed`; neither says "no facts" for an answer that it could not read.
 */
export interface Extractor {
  /** Goes on every record: `offline-rules@<n>` or `openai-compatible`. */
  readonly name: string;
  /** Asking takes money or minutes: an answer is stored before it is read, and asked for once. */
  readonly costly: boolean;
  ask(input: ExtractionInput, signal: AbortSignal): Promise<RawAnswer>;
  /** The same input and the same answer always give the same reading. */
  read(input: ExtractionInput, rawAnswer: string, signal: AbortSignal): Promise<ReadAnswer>;
}

/** Both steps at once, for callers that store nothing in between. */
export const askAndRead = async (
  extractor: Extractor,
  input: ExtractionInput,
  signal: AbortSignal,
): Promise<RawAnswer & ReadAnswer> => {
  const answer = await extractor.ask(input, signal);
  return { ...answer, ...(await extractor.read(input, answer.rawAnswer, signal)) };
};

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
    /** An answer that cannot be used costs as much as one that can. */
    readonly usage: TokenUsage | null = null,
  ) {
    super(message);
    this.name = 'ExtractionFailed';
  }
}

/**
 * Reading the window took more time or memory than one window may take. The next attempt does the same work, so there is
 * one more at most, in case the machine was at fault.
 */
export class WindowTooHeavy extends ExtractionFailed {
  /** @param code `extraction.too_slow` or `extraction.too_large` */
  constructor(code: string, message: string) {
    super(code, message, null);
    this.name = 'WindowTooHeavy';
  }
}

/**
 * The endpoint did not look at the window: it is away, busy, or refuses our key. Retrying costs nothing. A timeout is not an
 * outage: the window itself may take that long.
 */
export class ModelOutage extends ExtractionFailed {
  /** @param code `model.unreachable`, `model.unavailable`, `model.rate_limited` or `model.unauthorized` */
  constructor(code: string, message: string, rawAnswer: string | null, retryAfterMs: number | null = null) {
    super(code, message, rawAnswer, retryAfterMs);
    this.name = 'ModelOutage';
  }
}
