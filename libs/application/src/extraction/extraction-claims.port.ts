import type { ExtractionAnswered, TokenUsage } from '@turnkeeper/domain';
import { failure } from '../shared/failure.js';
import type { Transaction } from '../shared/transaction.port.js';
import type { ExtractionTiming } from './extraction-schedule.port.js';

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
  /** Why the attempt before failed; null if this is the window's first one. */
  readonly lastCode: string | null;
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

/** A window that was extracted. */
export interface SettledWindow {
  readonly toSequence: number;
  readonly userTurns: number;
  readonly recordsMade: number;
  /** What was skipped, refused (`refused_…`) or kept with a doubt (`doubt_…`), by reason; absent if nothing. */
  readonly skipped?: Readonly<Record<string, number>> | undefined;
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
export class LeaseLost extends failure(
  'extraction.lease_lost',
  'The lease on this session was lost; the result is dropped.',
) {}

/** Code of windows that wait for their tenant's token budget of the next day. */
export const BUDGET_SPENT = 'budget.spent';

/** Workers' claims on sessions, from the claim to its outcome. */
export interface ExtractionClaims {
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
  /**
   * Advances the watermark. Rejects with `LeaseLost` if the fence has changed. `isDue`: the session's next window is
   * already due.
   */
  complete(
    tx: Transaction,
    claim: ExtractionClaim,
    done: SettledWindow,
    timing: ExtractionTiming,
  ): Promise<{ readonly isDue: boolean }>;
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
  /**
   * Takes the attempt of a lost lease back: its worker is alive, and only stood still. The window is due again after
   * `retryInMs` at the earliest. A no-op once the window was settled or parked.
   */
  takeBack(claim: ExtractionClaim, retryInMs: number): Promise<void>;
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
  /** Input and output tokens used by the tenant and by the memory since midnight (UTC). */
  tokensToday(tenantId: string, memoryId: string): Promise<{ readonly tenant: number; readonly memory: number }>;
}
