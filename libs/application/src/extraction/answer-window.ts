import {
  resolveNamespace,
  ROLLING_DEFAULTS,
  rollingStateOf,
  sessionNameOf,
  strategyKind,
  type ExtractionAnswered,
  type Strategy,
} from '@turnkeeper/domain';
import { failure } from '../shared/failure.js';
import type { Ports } from '../ports.js';
import { BUDGET_SPENT, type ExtractionClaim } from './extraction-claims.port.js';
import {
  ExtractionFailed,
  ModelOutage,
  type ExistingRecord,
  type ExtractionInput,
  type Extractor,
  type RawAnswer,
} from './extractor.port.js';
import type { RecordWriter } from '../records/record-writer.port.js';
import type { RecordReader } from '../records/record-reader.port.js';
import type { RollingMemoryStore } from '../rolling-memory/rolling-memory-store.port.js';
import { readEpisode } from './episode.js';
import { listedRecords, valuesOfActor } from './listed-records.js';
import { readSessionWindow, type SessionWindow, type WindowSize } from './session-window.js';
import { scopeOf } from '../log/event-store.port.js';
import { factOf } from '../log/stored-event.js';

/** The daily token budget of the tenant or the memory is used up; the window waits for the next day. */
export class BudgetSpent extends failure(
  BUDGET_SPENT,
  'The tenant or the memory has used up the tokens of this day.',
) {}

/** A window and its unread answer. */
export interface AnsweredWindow {
  readonly window: SessionWindow;
  readonly input: ExtractionInput;
  readonly answer: RawAnswer;
  /** The `extraction.answered` event with the answer; null if the answer cost nothing. */
  readonly answerEventId: string | null;
}

/**
 * Reads the next window of a session and gets an answer for it. A costly answer is appended to the log before it is
 * read, so an interrupted attempt resumes without asking again.
 */
export class AnswerWindow {
  constructor(
    private readonly deps: Pick<Ports, 'unitOfWork' | 'eventStore' | 'extractions' | 'ids'> & {
      readonly rollingMemory: Pick<RollingMemoryStore, 'windows'>;
      readonly records: Pick<RecordReader, 'attributesOfActor' | 'statesOfActor' | 'search' | 'newest' | 'find'>;
      readonly recordWriter: Pick<RecordWriter, 'known'>;
      readonly extractor: Extractor;
      readonly size: WindowSize;
      readonly contactDetails: 'keep' | 'refuse';
      /** Daily token budget per tenant (UTC); 0 for unlimited. Calls in progress may exceed it. */
      readonly tokensPerDay: number;
      /** The same per memory. */
      readonly memoryTokensPerDay: number;
    },
  ) {}

  /** Rejects with `ExtractionFailed`, `BudgetSpent`, `LeaseLost` or the signal's reason. */
  async execute(claim: ExtractionClaim, strategy: Strategy, signal: AbortSignal): Promise<AnsweredWindow> {
    const stored = await this.storedAnswer(claim, strategy);
    if (stored !== null) return stored;
    const window = await this.read(claim, null, sizeOfAttempt(claim, this.deps.size));
    const input = {
      ...(await this.inputOf(claim, strategy, window)),
      existing: await this.recordsLike(claim, strategy, window),
    };
    if (window.messages.length === 0) return { window, input, answer: nothingToRead, answerEventId: null };
    const { extractor } = this.deps;
    if (!extractor.costly) return { window, input, answer: await extractor.ask(input, signal), answerEventId: null };
    await this.requireBudget(claim);
    const answered = this.answeredBy(strategy, window, input);
    try {
      const answer = await extractor.ask(input, signal);
      return { window, input, answer, answerEventId: await this.store(claim, { ...answered, ...answer }) };
    } catch (error) {
      // During an outage the answers repeat, possibly hundreds of times; store the first only.
      const isSaidBefore = error instanceof ModelOutage && claim.outageTry > 1;
      if (error instanceof ExtractionFailed && error.rawAnswer !== null && !isSaidBefore) {
        const { rawAnswer, usage, code } = error;
        await this.store(claim, { ...answered, rawAnswer, usage, failure: code });
      }
      throw error;
    }
  }

  /** The answer of an earlier attempt, if its input is the same as this attempt's would be. */
  private async storedAnswer(claim: ExtractionClaim, strategy: Strategy): Promise<AnsweredWindow | null> {
    const { extractor, extractions } = this.deps;
    const stored = extractor.costly ? await extractions.unreadAnswer(claim) : null;
    if (stored === null) return null;
    const { data: answer, eventId } = stored;
    if (answer.strategyVersion !== strategy.version || answer.extractor !== extractor.name) return null;
    const window = await this.read(claim, answer.toSequence);
    // The answer refers to the records shown at that time by their numbers.
    const existing = (answer.existing ?? []).map((recordId) => ({ recordId, text: '', statedAt: '' }));
    const input = { ...(await this.inputOf(claim, strategy, window)), existing };
    // Something was erased or has expired since, so the answer's message numbers now refer to other messages.
    if (this.shownIn(input) !== answer.shown) return null;
    return { window, input, answer, answerEventId: eventId };
  }

  /** The window that is parked: that of the stored answer, or a whole one. */
  async window(claim: ExtractionClaim): Promise<SessionWindow> {
    const { extractor, extractions } = this.deps;
    const stored = extractor.costly ? await extractions.unreadAnswer(claim) : null;
    return this.read(claim, stored?.data.toSequence ?? null);
  }

  private read(claim: ExtractionClaim, through: number | null, size = this.deps.size): Promise<SessionWindow> {
    return readSessionWindow(this.deps.eventStore, claim, size, through);
  }

  private async inputOf(claim: ExtractionClaim, strategy: Strategy, window: SessionWindow): Promise<ExtractionInput> {
    const { summary } = strategyKind(strategy.type);
    const inWindow = new Set(window.messages.map(({ eventId }) => eventId));
    const episode = summary === 'episode' ? await readEpisode(this.deps, claim, namespaceOf(claim, strategy)) : null;
    return {
      tenantId: claim.tenantId,
      strategyType: strategy.type,
      strategyVersion: strategy.version,
      customPrompt: strategy.customPrompt,
      outputSchema: strategy.outputSchema ?? null,
      summary: summary === 'running' ? await this.summaryBefore(claim, strategy) : (episode?.text ?? null),
      context: episode?.turns.filter(({ eventId }) => !inWindow.has(eventId)) ?? window.context,
      messages: window.messages,
      contactDetails: this.deps.contactDetails,
    };
  }

  /** Without a model, the actor's typed values: all that its rules compare. */
  private async recordsLike(
    claim: ExtractionClaim,
    strategy: Strategy,
    { messages }: SessionWindow,
  ): Promise<ExistingRecord[]> {
    const { extractor, records } = this.deps;
    // An episode is compared with its own session's only, and that is the summary.
    const { summary, takesPrompt } = strategyKind(strategy.type);
    if (messages.length === 0 || summary === 'episode' || (takesPrompt && !extractor.costly)) return [];
    const scope = { ...claim, namespace: namespaceOf(claim, strategy) };
    return extractor.costly ? listedRecords(records, scope, messages) : valuesOfActor(records, scope);
  }

  private async summaryBefore(claim: ExtractionClaim, strategy: Strategy): Promise<string | null> {
    const windows = await this.deps.rollingMemory.windows(scopeOf(claim), strategy.strategyId);
    const { summary } = rollingStateOf(windows, strategy.rolling ?? ROLLING_DEFAULTS);
    return summary === '' ? null : summary;
  }

  private async requireBudget({ tenantId, memoryId }: ExtractionClaim): Promise<void> {
    const { tokensPerDay, memoryTokensPerDay, extractions } = this.deps;
    if (tokensPerDay === 0 && memoryTokensPerDay === 0) return;
    const used = await extractions.tokensToday(tenantId, memoryId);
    const isSpent = (tokens: number, most: number): boolean => most > 0 && tokens >= most;
    if (isSpent(used.tenant, tokensPerDay) || isSpent(used.memory, memoryTokensPerDay)) throw new BudgetSpent();
  }

  private answeredBy(strategy: Strategy, window: SessionWindow, input: ExtractionInput): ExtractionAnswered {
    return {
      strategyId: strategy.strategyId,
      strategyVersion: strategy.version,
      fromSequence: window.fromSequence,
      toSequence: window.toSequence,
      shown: this.shownIn(input),
      existing: (input.existing ?? []).map(({ recordId }) => recordId),
      // Both may contain content of other sessions, which the answer may repeat.
      ...(strategyKind(strategy.type).summary !== 'none' || (input.existing ?? []).length > 0
        ? { knowsSummary: true }
        : {}),
      extractor: this.deps.extractor.name,
      model: null,
      promptHash: '',
      rawAnswer: '',
      usage: null,
      failure: null,
    };
  }

  private shownIn({ context, messages, summary }: ExtractionInput): string {
    const idsOf = (list: SessionWindow['messages']) => list.map(({ eventId }) => eventId);
    return this.deps.ids.derive('shown', ...idsOf(context), '', ...idsOf(messages), summary ?? '');
  }

  private async store(claim: ExtractionClaim, data: ExtractionAnswered): Promise<string> {
    const { unitOfWork, extractions, ids } = this.deps;
    const eventId = ids.next();
    const event = factOf(eventId, 'extraction.answered', data);
    return unitOfWork.append(async (tx) => {
      await extractions.keepAnswer(tx, claim, { eventId, usage: data.usage, usable: data.failure === null });
      return { append: [{ ...scopeOf(claim), events: [event] }], result: () => eventId };
    });
  }
}

/** Failures of a window that may be too large for the endpoint. */
const TOO_LARGE: ReadonlySet<string> = new Set(
  ['truncated_answer', 'too_many_facts', 'answer_too_large', 'context_too_small', 'timeout'].map(
    (reason) => `model.${reason}`,
  ),
);

/** Half as large with each attempt that failed because of the size. The rest of the window is due right after it. */
const sizeOfAttempt = ({ attempt, lastCode }: ExtractionClaim, size: WindowSize): WindowSize => {
  const part = TOO_LARGE.has(lastCode ?? '') ? 2 ** Math.max(0, attempt - 1) : 1;
  const of = (whole: number): number => Math.ceil(whole / part);
  return { ...size, windowEvents: of(size.windowEvents), windowBytes: of(size.windowBytes) };
};

export const namespaceOf = (claim: ExtractionClaim, strategy: Strategy): string =>
  resolveNamespace(strategy.namespaceTemplate, {
    memoryStrategyId: strategy.strategyId,
    actorId: claim.actorId,
    sessionId: sessionNameOf(claim.sessionId),
  });

/** A window with only agents' events and empty turns needs no extractor. */
const nothingToRead: RawAnswer = { extractor: 'none', model: null, promptHash: '', rawAnswer: '', usage: null };
