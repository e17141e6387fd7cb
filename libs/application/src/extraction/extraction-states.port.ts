import type { SessionScope } from '../log/event-store.port.js';
import type { PageAfter } from '../memories/memory-store.port.js';

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

/** What a model cost on one day (UTC) for one strategy. */
export interface ModelUsage {
  /** YYYY-MM-DD */
  readonly day: string;
  readonly strategyId: string;
  readonly calls: number;
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
  /** What was skipped, refused (`refused_…`) or kept with a doubt (`doubt_…`), by reason. */
  readonly skipped: Readonly<Record<string, number>>;
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

/** Reads the progress of extraction. */
export interface ExtractionStates {
  progress(tenantId: string, memoryId: string): Promise<readonly StrategyProgress[]>;
  /** Model usage of the last 31 days, newest first. */
  modelUsage(tenantId: string, memoryId: string): Promise<readonly ModelUsage[]>;
  /** One entry per strategy of the session's memory, in the memory's order. */
  sessionStates(scope: SessionScope): Promise<readonly SessionStrategyState[]>;
  /** Oldest first, starting after `after`. */
  parked(tenantId: string, memoryId: string, page: PageAfter<ParkedWindowPlace>): Promise<readonly ParkedWindow[]>;
}
