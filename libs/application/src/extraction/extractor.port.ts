import type {
  Candidate,
  OutputSchema,
  RecordDetails,
  StrategyType,
  TokenUsage,
  WindowMessage,
} from '@turnkeeper/domain';

export interface ExtractionInput {
  readonly tenantId: string;
  readonly strategyType: StrategyType;
  readonly strategyVersion: number;
  readonly customPrompt: string | null;
  /** What each fact gives as structured data; null or absent: nothing. */
  readonly outputSchema?: OutputSchema | null;
  /** What the session's windows carry on, before this one: a rolling summary or the episode so far; null if none. */
  readonly summary?: string | null;
  /**
   * Messages before the window, as context only: nothing may be extracted from them alone. For an episode, the
   * session's first message and the passages that the current episode cites.
   */
  readonly context: readonly WindowMessage[];
  /** The messages to extract from, oldest first. */
  readonly messages: readonly WindowMessage[];
  /** Whether records may contain e-mail addresses and phone numbers. Default: `keep` */
  readonly contactDetails?: 'keep' | 'refuse';
  /** Current records of the namespace that the window may be about. The answer may confirm, extend or end them. */
  readonly existing?: readonly ExistingRecord[];
}

/** An existing record as shown to the extractor. */
export interface ExistingRecord extends Pick<RecordDetails, 'subject' | 'attribute'> {
  readonly recordId: string;
  readonly text: string;
  /** When it was last stated (ISO 8601). */
  readonly statedAt: string;
}

/** An extractor's answer before parsing. */
export interface RawAnswer {
  /** The extractor's `name`. */
  readonly extractor: string;
  readonly model: string | null;
  readonly promptHash: string;
  readonly rawAnswer: string;
  /** Cost as reported by the endpoint; null if it reported none or no model was called. */
  readonly usage: TokenUsage | null;
}

/** A parsed answer. Untrusted until checked by `admit`. */
export interface ReadAnswer {
  readonly candidates: readonly Candidate[];
  /** The rolling summary including the window, if the strategy has one and the extractor makes one. */
  readonly summary?: string | null;
  /** What was left out, by reason: messages, or `malformed` facts of an answer. Set only by extractors that report it. */
  readonly skipped?: Readonly<Record<string, number>>;
}

/**
 * Extracts what is worth remembering from a window. Asking and reading are separate steps so that the answer can be
 * stored in between. Both reject with `ExtractionFailed`; an unreadable answer is never returned as "no facts".
 */
export interface Extractor {
  /** Stored on every record: `notes@<n>` or `openai-compatible`. */
  readonly name: string;
  /** Asking costs money or takes minutes, so the answer is stored before it is read and asked for only once. */
  readonly costly: boolean;
  ask(input: ExtractionInput, signal: AbortSignal): Promise<RawAnswer>;
  /** Deterministic: the same input and answer give the same result. */
  read(input: ExtractionInput, rawAnswer: string, signal: AbortSignal): Promise<ReadAnswer>;
}

/** Both steps in one call, for callers that do not store the answer. */
export const askAndRead = async (
  extractor: Extractor,
  input: ExtractionInput,
  signal: AbortSignal,
): Promise<RawAnswer & ReadAnswer> => {
  const answer = await extractor.ask(input, signal);
  return { ...answer, ...(await extractor.read(input, answer.rawAnswer, signal)) };
};

/** The extractor could not return a usable answer. */
export class ExtractionFailed extends Error {
  constructor(
    /** `model.unreachable`, `model.timeout`, `model.rate_limited`, `model.refused`, `model.unreadable_answer`, … */
    readonly code: string,
    message: string,
    /** The raw answer, for the operator; null if there was none. */
    readonly rawAnswer: string | null,
    /** Minimum backoff before the next attempt. */
    readonly retryAfterMs: number | null = null,
    /** Set for unusable answers too: they cost as much as usable ones. */
    readonly usage: TokenUsage | null = null,
  ) {
    super(message);
    this.name = 'ExtractionFailed';
  }
}

/**
 * Reading the window exceeded the limit of CPU time or memory of a window. It is retried at most once: a retry does the
 * same work.
 */
export class WindowTooHeavy extends ExtractionFailed {
  /** @param code `extraction.too_slow` or `extraction.too_large` */
  constructor(code: string, message: string) {
    super(code, message, null);
    this.name = 'WindowTooHeavy';
  }
}

/** The machine had no CPU or memory for the work. Says nothing about the window, so it never counts as an attempt. */
export class ThreadResourcesMissing extends ExtractionFailed {
  constructor() {
    super('extraction.no_resources', 'No thread of the worker got the CPU or memory to read the window.', null);
    this.name = 'ThreadResourcesMissing';
  }
}

/**
 * The endpoint did not process the window: it is down, overloaded, or rejects our key. A retry costs nothing. A timeout
 * is not an outage, because the window itself may take that long.
 */
export class ModelOutage extends ExtractionFailed {
  /** @param code `model.unreachable`, `model.unavailable`, `model.rate_limited`, `model.unauthorized`, … */
  constructor(code: string, message: string, rawAnswer: string | null, retryAfterMs: number | null = null) {
    super(code, message, rawAnswer, retryAfterMs);
    this.name = 'ModelOutage';
  }
}
