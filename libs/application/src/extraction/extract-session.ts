import {
  admit,
  holdsContact,
  strategyKind,
  withoutContacts,
  type NumberReader,
  type RecordsExtracted,
  type SecretReader,
  type Strategy,
} from '@turnkeeper/domain';
import type { LogErasure } from '../erasure/log-erasure.port.js';
import type { Ports } from '../ports.js';
import { scopeOf, LogUnavailable } from '../log/event-store.port.js';
import { LeaseLost, WORKER_LOST, type ExtractionClaim, type ExtractionFailure } from './extraction-claims.port.js';
import { STRATEGY_DISABLED, type ExtractionTiming } from './extraction-schedule.port.js';
import {
  ExtractionFailed,
  ModelOutage,
  ThreadResourcesMissing,
  WindowTooHeavy,
  type Extractor,
  type ReadAnswer,
} from './extractor.port.js';
import type { RecordReader } from '../records/record-reader.port.js';
import type { RollingMemoryStore } from '../rolling-memory/rolling-memory-store.port.js';
import { HeldLeases } from '../work/held-leases.js';
import { AnswerWindow, BudgetSpent, namespaceOf, type AnsweredWindow } from './answer-window.js';
import { slotOfActor, slotOfSession } from './episode.js';
import { comparableRecords, extractedData, notKept, rollingWindow } from './extracted-data.js';
import type { WindowSize } from './session-window.js';
import { lockNamespaces, withdrawUnheard } from './withdraw-unheard.js';
import { factOf } from '../log/stored-event.js';

export interface ExtractionLimits extends WindowSize {
  /** Attempts on a window before it is parked, not counting those that hit a model outage. */
  readonly maxAttempts: number;
  /** Consecutive attempts during a model outage before the window is parked. */
  readonly maxOutageTries: number;
  /** Lease duration; renewed while the work runs. */
  readonly leaseSeconds: number;
  readonly timing: ExtractionTiming;
  /** Whether records may contain e-mail addresses and phone numbers. */
  readonly contactDetails: 'keep' | 'refuse';
  /** Daily token budget per tenant (UTC); 0 for unlimited. */
  readonly tokensPerDay: number;
  /** The same per memory. */
  readonly memoryTokensPerDay: number;
}

/** Result of one run, for logs and metrics. */
export type ExtractionOutcome =
  | { readonly kind: 'not_due' }
  /** Requested, but everything had been read already. */
  | { readonly kind: 'nothing_new' }
  | {
      readonly kind: 'extracted';
      readonly records: number;
      readonly confirmed: number;
      readonly refused: number;
      /** What was skipped, refused or kept with a doubt, by reason. */
      readonly notKept: Readonly<Record<string, number>>;
      readonly fromSequence: number;
      readonly toSequence: number;
      /** The session's next window is due already. */
      readonly isDueAgain: boolean;
    }
  | { readonly kind: 'retry'; readonly code: string }
  | { readonly kind: 'parked'; readonly code: string }
  | { readonly kind: 'waiting_for_budget' }
  | { readonly kind: 'lease_lost' };

/** Extracts the next window of a session for one strategy and commits the result together with the watermark. */
export class ExtractSession {
  private readonly answerWindow: AnswerWindow;
  private readonly leases: HeldLeases<ExtractionClaim>;

  constructor(
    private readonly deps: Pick<
      Ports,
      'unitOfWork' | 'eventStore' | 'memories' | 'recordWriter' | 'extractions' | 'ids' | 'every' | 'monotonicMs'
    > & {
      readonly records: Pick<RecordReader, 'attributesOfActor' | 'statesOfActor' | 'search' | 'newest' | 'find'>;
      readonly rollingMemory: Pick<RollingMemoryStore, 'windows'>;
      readonly erasure: Pick<LogErasure, 'holdActors'>;
      readonly extractor: Extractor;
      readonly readNumbers: NumberReader;
      readonly secrets: SecretReader;
      readonly limits: ExtractionLimits;
      /** True if the failure is not caused by the window: the database is unavailable or too slow. */
      readonly isDatabaseAway: (error: unknown) => boolean;
    },
  ) {
    const { limits, extractions } = deps;
    this.leases = new HeldLeases({
      ...deps,
      leaseSeconds: limits.leaseSeconds,
      renew: (claims) => extractions.renew(claims, limits.leaseSeconds),
      lost: () => new LeaseLost(),
    });
    const { tokensPerDay, memoryTokensPerDay, contactDetails } = limits;
    this.answerWindow = new AnswerWindow({ ...deps, size: limits, tokensPerDay, memoryTokensPerDay, contactDetails });
  }

  /** Rejects with the signal's reason if aborted; that does not count as an attempt. */
  async execute(sessionKey: number, strategyId: string, signal: AbortSignal): Promise<ExtractionOutcome> {
    const { extractions, limits } = this.deps;
    const claim = await extractions.claim(sessionKey, strategyId, limits.leaseSeconds);
    if (claim === null) return { kind: 'not_due' };
    try {
      // Every attempt has lost its worker; only find the window's end and park it.
      if (claim.attempt > limits.maxAttempts) return await this.park(claim, lost, null, claim.attempt - 1);
      return await this.leases.hold(claim, signal, (held) => this.extract(claim, held));
    } catch (error) {
      return this.settle(claim, error, signal);
    }
  }

  private async extract(claim: ExtractionClaim, signal: AbortSignal): Promise<ExtractionOutcome> {
    const strategies = await this.deps.memories.strategies(claim.tenantId, claim.memoryId);
    const strategy = strategies.find((candidate) => candidate.strategyId === claim.strategyId);
    if (strategy === undefined) return this.fail(claim, parkedAs('strategy.not_found'));
    if (strategy.status === 'DISABLED') return this.fail(claim, parkedAs(STRATEGY_DISABLED));
    return this.run(claim, strategy, signal);
  }

  private async run(claim: ExtractionClaim, strategy: Strategy, signal: AbortSignal): Promise<ExtractionOutcome> {
    const answered = await this.answerWindow.execute(claim, strategy, signal);
    if (answered.window.toSequence === claim.watermark) {
      await this.moveOn(claim);
      return { kind: 'nothing_new' };
    }
    const reading: ReadAnswer =
      answered.answer.rawAnswer === ''
        ? { candidates: [] }
        : await this.deps.extractor.read(answered.input, answered.answer.rawAnswer, signal);
    const { data, isDue } = await this.commit(claim, strategy, answered, reading);
    return {
      kind: 'extracted',
      records: data.records.length,
      confirmed: data.confirmed.length,
      refused: data.refused.length,
      notKept: notKept(data) ?? {},
      fromSequence: data.fromSequence,
      toSequence: data.toSequence,
      isDueAgain: isDue,
    };
  }

  /** Appends no event for an empty window: it would take the event id of the next real one. */
  private async moveOn(claim: ExtractionClaim): Promise<void> {
    const { unitOfWork, extractions, limits } = this.deps;
    const nothing = { toSequence: claim.watermark, userTurns: 0, recordsMade: 0 };
    await unitOfWork.run((tx) => extractions.complete(tx, claim, nothing, limits.timing));
  }

  private async commit(
    claim: ExtractionClaim,
    strategy: Strategy,
    answered: AnsweredWindow,
    reading: ReadAnswer,
  ): Promise<{ readonly data: RecordsExtracted; readonly isDue: boolean }> {
    const { unitOfWork, recordWriter, extractions, ids, limits } = this.deps;
    const { window, input } = answered;
    // The event id is derived from strategy and window, so the log detects a second commit of the same window.
    const eventId = ids.derive('records.extracted', claim.sessionKey, strategy.strategyId, window.fromSequence);
    const namespace = namespaceOf(claim, strategy);
    const shown = (input.existing ?? []).map(({ recordId }) => recordId);
    const kind = strategyKind(strategy.type);
    const shownText = limits.contactDetails === 'refuse' ? withoutContacts : (text: string) => text;
    const slotFor = kind.slots === 'per_session' ? slotOfSession(ids, claim) : slotOfActor(ids, claim);
    const comparable = comparableRecords(reading.candidates, shown, slotFor);
    return unitOfWork.append(async (tx) => {
      await lockNamespaces(this.deps, tx, claim, namespace, window.heard);
      const withdrawals = await withdrawUnheard(this.deps, tx, claim, window.heard);
      const known = comparable === null ? [] : await recordWriter.known(tx, claim.memoryId, namespace, comparable);
      const admission = admit({
        candidates: reading.candidates,
        window: window.messages,
        context: input.context,
        summary: input.summary ?? null,
        known,
        shown,
        namespace,
        newId: () => ids.next(),
        slotFor,
        readNumbers: this.deps.readNumbers,
        ...(kind.summary === 'episode' ? { most: 1 } : {}),
        verbatim: !this.deps.extractor.costly,
        secrets: limits.contactDetails === 'refuse' ? withContacts(this.deps.secrets) : this.deps.secrets,
      });
      const summary = reading.summary == null ? null : shownText(reading.summary);
      const rolling = kind.summary === 'none' ? undefined : rollingWindow(admission, known, window, summary, shownText);
      const data = extractedData(strategy, answered, reading, admission, rolling);
      const { isDue } = await extractions.complete(
        tx,
        claim,
        {
          toSequence: data.toSequence,
          userTurns: window.userTurns,
          recordsMade: data.records.length,
          skipped: notKept(data),
        },
        limits.timing,
      );
      const event = factOf(eventId, 'records.extracted', data);
      await recordWriter.apply(tx, {
        ...scopeOf(claim),
        ...event,
        sessionKey: claim.sessionKey,
        sequence: null,
        recordedAt: await tx.recordedAt(),
        expiresAt: null,
      });
      return {
        // In the order in which the rows changed, which a rebuild repeats.
        append: [...withdrawals, { ...scopeOf(claim), events: [event] }],
        result: (appended) => {
          if (appended.at(-1)?.duplicate !== true) return { data, isDue };
          // The watermark and the log disagree, although both are written in one transaction. Never ignore this.
          throw new ExtractionFailed('extraction.window_repeated', 'The log has this window already.', null);
        },
      };
    });
  }

  /** Handles a failed attempt. This is the only place where the type of the failure decides. */
  private async settle(claim: ExtractionClaim, error: unknown, signal: AbortSignal): Promise<ExtractionOutcome> {
    const { extractions, limits } = this.deps;
    if (error instanceof LeaseLost) {
      await extractions.takeBack(claim, backoffMs(claim.outageTry));
      return { kind: 'lease_lost' };
    }
    if (error instanceof BudgetSpent) {
      await extractions.waitForBudget(claim);
      return { kind: 'waiting_for_budget' };
    }
    if (error instanceof ThreadResourcesMissing) return this.fail(claim, outageOf(claim, error.code));
    if (error instanceof ExtractionFailed) {
      const outage = error instanceof ModelOutage;
      const maxAttempts =
        error instanceof WindowTooHeavy ? Math.min(MAX_HEAVY, limits.maxAttempts) : limits.maxAttempts;
      const [tries, most] = outage ? [claim.outageTry, limits.maxOutageTries] : [claim.attempt, maxAttempts];
      const retryInMs = retryDelay(tries, most, error.retryAfterMs);
      const failure = { code: error.code, retryInMs, keepAnswer: false, outage };
      return retryInMs === null ? this.park(claim, failure, error.message) : this.fail(claim, failure);
    }
    // Our shutdown or a database outage is not the window's fault.
    if (signal.aborted || error instanceof LogUnavailable) {
      await extractions.release(claim);
      throw error;
    }
    if (this.deps.isDatabaseAway(error)) {
      await this.fail(claim, outageOf(claim, DATABASE_AWAY));
      throw error;
    }
    const retryInMs = retryDelay(claim.attempt, limits.maxAttempts, null);
    const failure = { code: 'extraction.failed', retryInMs, keepAnswer: true, outage: false };
    // The message may contain conversation content; the log line has the details.
    if (retryInMs === null) await this.park(claim, failure, error instanceof Error ? error.name : null);
    else await this.fail(claim, failure);
    throw error;
  }

  /**
   * Parks the window so that later ones can be read. Parks the whole session if the window's end cannot be determined.
   */
  private async park(
    claim: ExtractionClaim,
    failure: ExtractionFailure,
    cause: string | null,
    attempts = claim.attempt + claim.outageTry - 1,
  ): Promise<ExtractionOutcome> {
    const { unitOfWork, extractions, limits } = this.deps;
    const { code, keepAnswer } = failure;
    const window = await this.answerWindow.window(claim).catch((error: unknown) => {
      if (this.deps.isDatabaseAway(error) || error instanceof LogUnavailable) return 'away' as const;
      return null;
    });
    // The window's end cannot be read now; the next attempt parks it.
    if (window === 'away') return this.fail(claim, outageOf(claim, DATABASE_AWAY));
    if (window === null || window.toSequence <= claim.watermark) return this.fail(claim, failure);
    const { toSequence, userTurns } = window;
    const parked = { toSequence: claim.replayThrough ?? toSequence, userTurns, code, cause, attempts, keepAnswer };
    try {
      await unitOfWork.run((tx) => extractions.park(tx, claim, parked, limits.timing));
    } catch (error) {
      if (error instanceof LeaseLost) return { kind: 'lease_lost' };
      throw error;
    }
    return { kind: 'parked', code };
  }

  private async fail(claim: ExtractionClaim, failure: ExtractionFailure): Promise<ExtractionOutcome> {
    await this.deps.extractions.fail(claim, failure);
    return { kind: failure.retryInMs === null ? 'parked' : 'retry', code: failure.code };
  }
}

/** Attempts on a window that exceeds the limit of CPU time or memory; each costs as much as many normal windows. */
const MAX_HEAVY = 2;

/** Parked immediately: a retry would not help. */
const parkedAs = (code: string): ExtractionFailure => ({ code, retryInMs: null, keepAnswer: true, outage: false });

const DATABASE_AWAY = 'database.unavailable';

/** Retried indefinitely, without counting as an attempt. */
const outageOf = ({ outageTry }: ExtractionClaim, code: string): ExtractionFailure => ({
  code,
  retryInMs: backoffMs(outageTry),
  keepAnswer: true,
  outage: true,
});

const lost: ExtractionFailure = parkedAs(WORKER_LOST);

/** 1 s, 2 s, 4 s … at most 5 min; null after the last attempt. A `Retry-After` is a lower bound. */
const retryDelay = (tries: number, most: number, retryAfterMs: number | null): number | null => {
  return tries >= most ? null : Math.max(backoffMs(tries), retryAfterMs ?? 0);
};

const backoffMs = (tries: number): number => Math.min(1_000 * 2 ** (tries - 1), 300_000);

const withContacts = (secrets: SecretReader): SecretReader => ({
  holds: (text) => secrets.holds(text) || holdsContact(text),
  isAskedFor: (message) => secrets.isAskedFor(message),
});
