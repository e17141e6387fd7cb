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
  /** This try's number, from 1. */
  readonly attempt: number;
  /** Must still hold when the result is written. */
  readonly fence: number;
}

export interface StrategyProgress {
  readonly strategyId: string;
  /** Sessions with events beyond the watermark, parked ones not counted. */
  readonly pendingSessions: number;
  readonly parkedSessions: number;
  readonly records: number;
}

/** Another worker holds this session now, or it was finished: the result must not be written. */
export class LeaseLost extends Error {
  readonly code = 'extraction.lease_lost';
  constructor() {
    super('The lease on this session was lost; the result is dropped.');
    this.name = 'LeaseLost';
  }
}

export interface ExtractionStore {
  /** Notes new events for every automatic strategy of their memories, and when they become due. */
  note(tx: Transaction, sessions: readonly SessionProgress[], timing: ExtractionTiming): Promise<void>;
  /** Makes a session due at once for one strategy, up to its newest event. False when the session has no event yet. */
  request(scope: SessionScope, strategyId: string): Promise<boolean>;
  /** Takes a due session and strategy, or resolves to null when it is not due or another worker has it. */
  claim(sessionKey: number, strategyId: string, leaseSeconds: number): Promise<ExtractionClaim | null>;
  /** Moves the watermark. Rejects with `LeaseLost` when the fence has moved on. */
  complete(
    tx: Transaction,
    claim: ExtractionClaim,
    done: { readonly toSequence: number; readonly userTurns: number; readonly recordsMade: number },
    timing: ExtractionTiming,
  ): Promise<void>;
  /** Sets the next try, or parks the window with its answer. */
  fail(
    claim: ExtractionClaim,
    failure: {
      readonly code: string;
      readonly rawAnswer: string | null;
      /** Null parks it. */
      readonly retryInMs: number | null;
    },
  ): Promise<void>;
  /**
   * Sessions that may be put into the queue now: due, held by nobody, oldest first, and of each tenant only so many
   * that no more than `perTenant` of its sessions are queued or running. They are marked, and given again when
   * nobody has claimed them within a few seconds.
   */
  admit(perTenant: number): Promise<readonly { readonly sessionKey: number; readonly strategyId: string }[]>;
  progress(tenantId: string, memoryId: string): Promise<readonly StrategyProgress[]>;
}
