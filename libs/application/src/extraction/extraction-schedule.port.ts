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

export interface ReplayWindowOptions {
  /** Ignore the stored answer and ask the model again. */
  readonly askAgain: boolean;
}

/** Identifies parked windows by session and strategy. */
export interface ParkedKey {
  readonly strategyId: string;
  readonly actorId: string;
  readonly sessionId: string;
}

/** Code of windows that are parked until their strategy is enabled again. */
export const STRATEGY_DISABLED = 'strategy.disabled';

/** When sessions are extracted. */
export interface ExtractionSchedule {
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
  /** Makes pending windows of a session due now, up to this sequence. Failed windows keep their backoff. */
  hasten(scope: SessionScope, through: number): Promise<void>;
  /** Marks all events in a memory's sessions as read, for all of its strategies. */
  countAsRead(tx: Transaction, tenantId: string, memoryId: string): Promise<void>;
  /** Resumes windows that were parked because the strategy was disabled. */
  resume(tx: Transaction, tenantId: string, strategyId: string): Promise<void>;
  /** Makes parked windows due again: one, or all of the memory if `key` is null. Resolves to their number. */
  replayParked(
    tenantId: string,
    memoryId: string,
    key: ParkedKey | null,
    options?: ReplayWindowOptions,
  ): Promise<number>;
  /**
   * Marks and returns sessions that may be enqueued: due, not leased, oldest first, with at most `perTenant` sessions
   * queued or running per tenant. A session that is not claimed within a few seconds is returned again.
   */
  admit(perTenant: number): Promise<readonly { readonly sessionKey: number; readonly strategyId: string }[]>;
}
