import type { ExtractionAnswered, TokenUsage } from '@turnkeeper/domain';
import type { SessionScope } from '../log/event-store.port.js';
import type { Transaction } from '../shared/transaction.port.js';

/** When new events of a session become due for extraction. */
export interface ExtractionTiming {
  /** Due immediately after this many user turns. */
  readonly turnInterval: number;
  /** Due after this many seconds without a new event. */
  readonly quietSeconds: number;
}

/** New events of one session in a page of the log, as counted by the dispatcher. */
export interface SessionProgress {
  readonly sessionKey: number;
  readonly newestSequence: number;
  readonly userTurns: number;
  /** Set when an agent stopped: extract everything up to this sequence immediately. */
  readonly flushThrough: number | null;
}

/** A session and strategy claimed by this worker. */
export interface ExtractionClaim {
  readonly sessionKey: number;
  readonly strategyId: string;
  readonly tenantId: string;
  readonly memoryId: string;
  readonly actorId: string;
  readonly sessionId: string;
  /** Extracted up to this sequence. */
  readonly watermark: number;
  readonly newestSequence: number;
  /**
   * Number of this attempt, from 1. Counted at the claim, so attempts of lost workers are included. Attempts released
   * at a shutdown and attempts that hit a model outage are not.
   */
  readonly attempt: number;
  /** Number of consecutive outages if this attempt hits one too, from 1. */
  readonly outageTry: number;
  /** End of the parked window being replayed; only that window is read. Null in normal operation. */
  readonly replayThrough: number | null;
  /** Fencing token; checked when the result is written. */
  readonly fence: number;
}

/** Why an attempt failed. */
export interface ExtractionFailure {
  readonly code: string;
  /** Backoff before the next attempt; null parks it. */
  readonly retryInMs: number | null;
  /** The stored answer is valid and something else failed; the next attempt reads it again. */
  readonly keepAnswer: boolean;
  /** The endpoint was unavailable; counts towards `outageTry`, not as an attempt. */
  readonly outage: boolean;
}

/** A parked window and the reason. */
export interface WindowFailure {
  /** The window starts after the claim's watermark and ends here. */
  readonly toSequence: number;
  readonly userTurns: number;
  readonly code: string;
  /** Error message without conversation content; null if the code is sufficient. */
  readonly cause: string | null;
  readonly attempts: number;
  /** A replay reads the stored answer again. */
  readonly keepAnswer: boolean;
}

export interface ReplayWindowOptions {
  /** Ignore the stored answer and ask the model again. */
  readonly askAgain: boolean;
}

/** A parked window of a session that was not dropped. */
export interface ParkedRange {
  readonly fromSequence: number;
  readonly toSequence: number;
  readonly code: string;
  /** A replay was requested and is due or in progress. */
  readonly replaying: boolean;
}

export interface StrategyProgress {
  readonly strategyId: string;
  /** Sessions with unread events, including replays of parked windows. */
  readonly pendingSessions: number;
  /** Pending sessions that wait for the tenant's token budget. */
  readonly waitingForBudget: number;
  /** Sessions with a parked window. Their later windows are still extracted. */
  readonly parkedSessions: number;
  readonly records: number;
  /** Total usage of the strategy so far. */
  readonly modelCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A strategy of a memory and, if present, its state for one session. */
export interface SessionStrategyState {
  readonly strategyId: string;
  /** ACTIVE and not on demand only. */
  readonly runsByItself: boolean;
  readonly status: 'idle' | 'waiting' | 'parked';
  /** A worker currently holds the lease. */
  readonly held: boolean;
  readonly watermark: number;
  readonly records: number;
  readonly code: string | null;
  readonly dueAt: string | null;
  /** Windows up to the watermark that were not extracted. */
  readonly parked: readonly ParkedRange[];
}

/** A window that was parked after its last attempt. `attempts` includes those of the outage that parked it. */
export interface ParkedWindow {
  readonly strategyId: string;
  readonly actorId: string;
  readonly sessionId: string;
  /** Session sequences, inclusive. */
  readonly fromSequence: number;
  readonly toSequence: number;
  readonly code: string;
  readonly attempts: number;
  readonly parkedAt: string;
  /** The model's last answer; null if there was none or it was erased. */
  readonly answer: string | null;
  readonly model: string | null;
}

/** Keyset cursor of the parked windows: the page starts after this one. */
export type ParkedWindowPlace = Pick<ParkedWindow, 'parkedAt' | 'strategyId' | 'actorId' | 'sessionId' | 'toSequence'>;

/** Identifies parked windows by session and strategy. */
export interface ParkedKey {
  readonly strategyId: string;
  readonly actorId: string;
  readonly sessionId: string;
}

/** A claim whose worker was lost before it stored an outcome. */
export interface LostClaim {
  readonly sessionKey: number;
  readonly strategyId: string;
  readonly tenantId: string;
  /** Attempts so far, including this one. */
  readonly attempts: number;
  /** True if it was the last attempt. */
  readonly parked: boolean;
}

/** Code of a window whose worker was lost: it was killed, it hung, or the window crashed the process. */
export const WORKER_LOST = 'extraction.worker_lost';

/** Another worker holds this session or has finished it; the result must not be written. */
export class LeaseLost extends Error {
  readonly code = 'extraction.lease_lost';
  constructor() {
    super('The lease on this session was lost; the result is dropped.');
    this.name = 'LeaseLost';
  }
}

/** Code of windows that are parked until their strategy is enabled again. */
export const STRATEGY_DISABLED = 'strategy.disabled';

/** Code of windows that wait for their tenant's token budget of the next day. */
export const BUDGET_SPENT = 'budget.spent';

export interface ExtractionStore {
  /**
   * Notes new events for every automatic strategy of their memories and schedules their extraction. Resolves to true
   * if one of the sessions is due now. A session that is locked, e.g. by an erasure, is deferred until `noteDeferred`.
   */
  note(tx: Transaction, sessions: readonly SessionProgress[], timing: ExtractionTiming): Promise<boolean>;
  /** Notes deferred sessions that are no longer locked. Resolves to true if one of them is due now. */
  noteDeferred(timing: ExtractionTiming): Promise<boolean>;
  /**
   * Makes a session due immediately for one strategy, up to its newest event. Resolves to false if the session has no
   * events.
   */
  request(scope: SessionScope, strategyId: string): Promise<boolean>;
  /**
   * Claims a due session and strategy; this counts as an attempt. Resolves to null if it is not due, is leased, or its
   * memory was deleted. An expired lease still blocks other workers until `settleLost`.
   */
  claim(sessionKey: number, strategyId: string, leaseSeconds: number): Promise<ExtractionClaim | null>;
  /**
   * Extends the leases to this duration from now. Resolves to the claims that are still held; claims on deleted
   * memories are not.
   */
  renew(claims: readonly ExtractionClaim[], leaseSeconds: number): Promise<readonly ExtractionClaim[]>;
  /**
   * Releases claims of lost workers: they become due again after a random backoff that grows with the attempts, so that
   * a window that crashes its worker is separated from its neighbours. After `maxAttempts` the claim is due
   * immediately, to be parked with `WORKER_LOST`; if that crashes the worker as well, the whole session is parked.
   */
  settleLost(maxAttempts: number): Promise<readonly LostClaim[]>;
  /** Advances the watermark. Rejects with `LeaseLost` if the fence has changed. */
  complete(
    tx: Transaction,
    claim: ExtractionClaim,
    done: { readonly toSequence: number; readonly userTurns: number; readonly recordsMade: number },
    timing: ExtractionTiming,
  ): Promise<void>;
  /**
   * Parks the window and advances the watermark past it, so that later windows are extracted. A replayed window is
   * parked again. Rejects with `LeaseLost` if the fence has changed.
   */
  park(tx: Transaction, claim: ExtractionClaim, failure: WindowFailure, timing: ExtractionTiming): Promise<void>;
  /**
   * Schedules the next attempt, or parks the session from this window on. A no-op if another worker has taken over.
   */
  fail(claim: ExtractionClaim, failure: ExtractionFailure): Promise<void>;
  /** Releases the claim without counting an attempt; the window is due immediately. */
  release(claim: ExtractionClaim): Promise<void>;
  /** Defers the window to the next day (UTC) with the code `BUDGET_SPENT`. */
  waitForBudget(claim: ExtractionClaim): Promise<void>;
  /**
   * Stores an answer, whose event is appended in the same transaction, and its cost. Rejects with `LeaseLost`.
   * `unreadAnswer` returns a usable answer until the window is committed or the answer has failed.
   */
  keepAnswer(
    tx: Transaction,
    claim: ExtractionClaim,
    answer: { readonly eventId: string; readonly usage: TokenUsage | null; readonly usable: boolean },
  ): Promise<void>;
  /** An unused answer of an earlier attempt on this window; null if there is none. */
  unreadAnswer(claim: ExtractionClaim): Promise<{ readonly eventId: string; readonly data: ExtractionAnswered } | null>;
  /** Input and output tokens used by the tenant since midnight (UTC). */
  tokensToday(tenantId: string): Promise<number>;
  /**
   * Marks and returns sessions that may be enqueued: due, not leased, oldest first, with at most `perTenant` sessions
   * queued or running per tenant. A session that is not claimed within a few seconds is returned again.
   */
  admit(perTenant: number): Promise<readonly { readonly sessionKey: number; readonly strategyId: string }[]>;
  /** Marks all events in a memory's sessions as read, for all of its strategies. */
  countAsRead(tx: Transaction, tenantId: string, memoryId: string): Promise<void>;
  /** Resumes windows that were parked because the strategy was disabled. */
  resume(tx: Transaction, tenantId: string, strategyId: string): Promise<void>;
  progress(tenantId: string, memoryId: string): Promise<readonly StrategyProgress[]>;
  /** One entry per strategy of the session's memory, in the memory's order. */
  sessionStates(scope: SessionScope): Promise<readonly SessionStrategyState[]>;
  /** Makes pending windows of a session due now, up to this sequence. Failed windows keep their backoff. */
  hasten(scope: SessionScope, through: number): Promise<void>;
  /** Oldest first, starting after `after`. */
  parked(
    tenantId: string,
    memoryId: string,
    page: { readonly limit: number; readonly after?: ParkedWindowPlace | undefined },
  ): Promise<readonly ParkedWindow[]>;
  /** Makes parked windows due again: one, or all of the memory if `key` is null. Resolves to their number. */
  replayParked(
    tenantId: string,
    memoryId: string,
    key: ParkedKey | null,
    options?: ReplayWindowOptions,
  ): Promise<number>;
}
