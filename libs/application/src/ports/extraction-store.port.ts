import type { ExtractionAnswered, TokenUsage } from '@turnkeeper/domain';
import type { SessionScope } from './event-store.port.js';
import type { Transaction } from './transaction.port.js';

/** When a session's new events are read. */
export interface ExtractionTiming {
  /** User turns after which it is due at once. */
  readonly turnInterval: number;
  /** Seconds without a new event after which the rest is due. */
  readonly quietSeconds: number;
}

/** What the dispatcher saw of one session in a page of the log. */
export interface SessionProgress {
  readonly sessionKey: number;
  readonly newestSequence: number;
  readonly userTurns: number;
  /** Set when an agent stopped: read everything up to here without waiting. */
  readonly flushThrough: number | null;
}

/** A session and strategy that this worker may extract now. */
export interface ExtractionClaim {
  readonly sessionKey: number;
  readonly strategyId: string;
  readonly tenantId: string;
  readonly memoryId: string;
  readonly actorId: string;
  readonly sessionId: string;
  /** Extracted up to here. */
  readonly watermark: number;
  readonly newestSequence: number;
  /**
   * This attempt's number, from 1. It counts from the claim on, so an attempt whose worker was lost is among them. One
   * that was given back at a shutdown is not, nor one that met an outage of the model.
   */
  readonly attempt: number;
  /** Its number if nobody answers to this one either, from 1: how often that would have been so in a row. */
  readonly outageTry: number;
  /** The end of the parked window that is replayed, exactly and alone; null when the session goes on as usual. */
  readonly replayThrough: number | null;
  /** Must still hold when the result is written. */
  readonly fence: number;
}

/** What came of a try that gave nothing. */
export interface ExtractionFailure {
  readonly code: string;
  /** When to try again; null parks it. */
  readonly retryInMs: number | null;
  /** The stored answer is good, something else went wrong: the next try reads it again. */
  readonly keepAnswer: boolean;
  /** The endpoint was away: counts as an `outageTry`, not as an attempt. */
  readonly outage: boolean;
}

/** A window that is set aside, and why. */
export interface WindowFailure {
  /** The window begins behind the claim's watermark and ends here. */
  readonly toSequence: number;
  readonly userTurns: number;
  readonly code: string;
  /** The failure in its own words, without content; null where the code says it all. */
  readonly cause: string | null;
  readonly attempts: number;
  /** A replay reads the stored answer again. */
  readonly keepAnswer: boolean;
}

export interface ReplayWindowOptions {
  /** Leave the stored answer aside and ask the model again. */
  readonly askAgain: boolean;
}

/** A window of a session that was set aside and not given up. */
export interface ParkedRange {
  readonly fromSequence: number;
  readonly toSequence: number;
  readonly code: string;
  /** It was asked for again and is due or under way. */
  readonly replaying: boolean;
}

export interface StrategyProgress {
  readonly strategyId: string;
  /** Sessions with something to read, the replay of a parked window included. */
  readonly pendingSessions: number;
  /** Those of the pending ones that wait until the tenant has tokens again. */
  readonly waitingForBudget: number;
  /** Sessions with a parked window. Later windows of them go on. */
  readonly parkedSessions: number;
  readonly records: number;
  /** What the strategy has cost so far. */
  readonly modelCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A strategy of a memory and, where there is one, its row for one session. */
export interface SessionStrategyState {
  readonly strategyId: string;
  /** ACTIVE, and not on demand only. */
  readonly runsByItself: boolean;
  readonly status: 'idle' | 'waiting' | 'parked';
  /** A worker reads the session now. */
  readonly held: boolean;
  readonly watermark: number;
  readonly records: number;
  readonly code: string | null;
  readonly dueAt: string | null;
  /** Windows up to the watermark that were not extracted. */
  readonly parked: readonly ParkedRange[];
}

/** A window that was set aside after its tries were used up. `attempts` counts those of an outage that parked it as well. */
export interface ParkedWindow {
  readonly strategyId: string;
  readonly actorId: string;
  readonly sessionId: string;
  /** Session sequences, both included. */
  readonly fromSequence: number;
  readonly toSequence: number;
  readonly code: string;
  readonly attempts: number;
  readonly parkedAt: string;
  /** What the model said last; null when it said nothing, or when that was erased. */
  readonly answer: string | null;
  readonly model: string | null;
}

/** A place in the listing of parked windows: behind this one. */
export type ParkedWindowPlace = Pick<ParkedWindow, 'parkedAt' | 'strategyId' | 'actorId' | 'sessionId' | 'toSequence'>;

/** One parked window, by its session and strategy. */
export interface ParkedKey {
  readonly strategyId: string;
  readonly actorId: string;
  readonly sessionId: string;
}

/** A claim whose worker was lost before it noted an outcome. */
export interface LostClaim {
  readonly sessionKey: number;
  readonly strategyId: string;
  readonly tenantId: string;
  /** Attempts so far, this one included. */
  readonly attempts: number;
  /** True when that was the last attempt. */
  readonly parked: boolean;
}

/** The code of a window whose worker was lost: it was killed, froze, or took the window's process down with it. */
export const WORKER_LOST = 'extraction.worker_lost';

/** Another worker holds this session now, or it was finished: the result must not be written. */
export class LeaseLost extends Error {
  readonly code = 'extraction.lease_lost';
  constructor() {
    super('The lease on this session was lost; the result is dropped.');
    this.name = 'LeaseLost';
  }
}

/** Why the windows of a strategy that is switched off are parked, until it is switched on again. */
export const STRATEGY_DISABLED = 'strategy.disabled';

/** The code of windows that wait for their tenant's tokens of the next day. */
export const BUDGET_SPENT = 'budget.spent';

export interface ExtractionStore {
  /**
   * Notes new events for every automatic strategy of their memories, and when they become due. True when one of the
   * sessions is due now. A session that is locked, by an erasure say, is put off until `noteDeferred`.
   */
  note(tx: Transaction, sessions: readonly SessionProgress[], timing: ExtractionTiming): Promise<boolean>;
  /** Notes what was put off and is free now. True when one of the sessions is due now. */
  noteDeferred(timing: ExtractionTiming): Promise<boolean>;
  /** Makes a session due at once for one strategy, up to its newest event. False when the session has no event yet. */
  request(scope: SessionScope, strategyId: string): Promise<boolean>;
  /**
   * Takes a due session and strategy, which counts as an attempt. Resolves to null when it is not due, when it is
   * leased, or when its memory was deleted. A lease that has run out still keeps others away, until `settleLost`.
   */
  claim(sessionKey: number, strategyId: string, leaseSeconds: number): Promise<ExtractionClaim | null>;
  /** Makes leases last this long from now on. Resolves to the claims that still hold; none of a deleted memory does. */
  renew(claims: readonly ExtractionClaim[], leaseSeconds: number): Promise<readonly ExtractionClaim[]>;
  /**
   * Takes back what lost workers held: due again after a short random pause that grows with the attempts, so that a
   * window that takes its worker down parts from its neighbours. After `maxAttempts` it is due at once, to be set aside
   * with `WORKER_LOST`; if that takes the worker down as well, the whole session is parked.
   */
  settleLost(maxAttempts: number): Promise<readonly LostClaim[]>;
  /** Moves the watermark. Rejects with `LeaseLost` when the fence has moved on. */
  complete(
    tx: Transaction,
    claim: ExtractionClaim,
    done: { readonly toSequence: number; readonly userTurns: number; readonly recordsMade: number },
    timing: ExtractionTiming,
  ): Promise<void>;
  /**
   * Sets the window aside and moves the watermark behind it, so that later windows go on. A replayed window goes back to
   * where it was. Rejects with `LeaseLost`.
   */
  park(tx: Transaction, claim: ExtractionClaim, failure: WindowFailure, timing: ExtractionTiming): Promise<void>;
  /** Sets the next try, or parks the session, from the window on. A try that was overtaken by another worker changes nothing. */
  fail(claim: ExtractionClaim, failure: ExtractionFailure): Promise<void>;
  /** Gives the window back as if it had not been claimed: due at once, with no attempt counted. */
  release(claim: ExtractionClaim): Promise<void>;
  /** Lets the window wait for the next day (UTC), under the code `BUDGET_SPENT`. */
  waitForBudget(claim: ExtractionClaim): Promise<void>;
  /**
   * Notes an answer whose event is appended in the same transaction, and what it cost. Rejects with `LeaseLost`.
   * A usable one is given by `unreadAnswer` until the window is committed or the answer has failed.
   */
  keepAnswer(
    tx: Transaction,
    claim: ExtractionClaim,
    answer: { readonly eventId: string; readonly usage: TokenUsage | null; readonly usable: boolean },
  ): Promise<void>;
  /** The answer of an earlier attempt on this window that was not used. */
  unreadAnswer(claim: ExtractionClaim): Promise<{ readonly eventId: string; readonly data: ExtractionAnswered } | null>;
  /** Input and output tokens that the tenant has used since midnight (UTC). */
  tokensToday(tenantId: string): Promise<number>;
  /**
   * Sessions that may be put into the queue now: due, held by nobody, oldest first, and of each tenant only so many
   * that no more than `perTenant` of its sessions are queued or running. They are marked, and given again when
   * nobody has claimed them within a few seconds.
   */
  admit(perTenant: number): Promise<readonly { readonly sessionKey: number; readonly strategyId: string }[]>;
  /** Counts everything that is in a memory's sessions as read, for all of its strategies. */
  countAsRead(tx: Transaction, tenantId: string, memoryId: string): Promise<void>;
  /** Takes up again what was parked because the strategy was switched off. */
  resume(tx: Transaction, tenantId: string, strategyId: string): Promise<void>;
  progress(tenantId: string, memoryId: string): Promise<readonly StrategyProgress[]>;
  /** Every strategy of the session's memory, in their order. */
  sessionStates(scope: SessionScope): Promise<readonly SessionStrategyState[]>;
  /** Has what waits of a session read now, up to this sequence. What failed still waits for its time. */
  hasten(scope: SessionScope, through: number): Promise<void>;
  /** Oldest first, behind `after`. */
  parked(
    tenantId: string,
    memoryId: string,
    page: { readonly limit: number; readonly after?: ParkedWindowPlace | undefined },
  ): Promise<readonly ParkedWindow[]>;
  /** Makes parked windows due again: one, or all of the memory. Resolves to their number. */
  replayParked(
    tenantId: string,
    memoryId: string,
    key: ParkedKey | null,
    options?: ReplayWindowOptions,
  ): Promise<number>;
}
