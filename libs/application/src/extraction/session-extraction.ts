import { SessionNotFound } from '@turnkeeper/domain';
import { requireMemory } from '../memories/require-memory.js';
import type { EventStore, SessionScope } from '../ports/event-store.port.js';
import {
  BUDGET_SPENT,
  type ExtractionStore,
  type ParkedRange,
  type SessionStrategyState,
} from '../ports/extraction-store.port.js';
import type { MemoryStore } from '../ports/memory-store.port.js';

/**
 * - `not_requested`: the strategy is on-demand or disabled, and extraction was not requested
 * - `accepted`: there is something to read, and its time will come
 * - `running`: a worker reads it now
 * - `retrying`: the last try failed, the next one waits for its time
 * - `waiting_for_budget`: the tenant has no tokens left today
 * - `extracted`, `empty`: everything was read, with or without records
 * - `parked`: the tries of a window are used up; it waits for an operator. Later windows go on, and come first here
 */
export type SessionExtractionStatus =
  'not_requested' | 'accepted' | 'running' | 'retrying' | 'waiting_for_budget' | 'extracted' | 'empty' | 'parked';

/** How far one strategy has read a session. */
export interface SessionExtraction {
  readonly strategyId: string;
  readonly status: SessionExtractionStatus;
  /** Read up to this sequence. */
  readonly readThrough: number;
  /** Records that the session has given. */
  readonly records: number;
  /** Why the last try failed; null when it did not. */
  readonly code: string | null;
  readonly nextTryAt: string | null;
  /** Windows that were set aside. */
  readonly parked: readonly ParkedRange[];
}

/** Tells how far the strategies of a memory have read one session. */
export class ReadSessionExtraction {
  constructor(
    private readonly deps: {
      readonly memories: MemoryStore;
      readonly eventStore: EventStore;
      readonly extractions: ExtractionStore;
    },
  ) {}

  /** Rejects with `MemoryNotFound` or `SessionNotFound`. */
  async execute(
    scope: SessionScope,
  ): Promise<{ readonly newestSequence: number; readonly strategies: readonly SessionExtraction[] }> {
    const { memories, eventStore, extractions } = this.deps;
    await requireMemory(memories, scope.tenantId, scope.memoryId);
    // In this order: what is read after the newest event was seen can only make the answer later, never wrong.
    const newestSequence = await eventStore.sessionSequence(scope);
    if (newestSequence === 0) throw new SessionNotFound();
    const states = await extractions.sessionStates(scope);
    return { newestSequence, strategies: states.map((state) => sessionExtraction(state, newestSequence)) };
  }
}

const sessionExtraction = (state: SessionStrategyState, newestSequence: number): SessionExtraction => ({
  strategyId: state.strategyId,
  status: statusOf(state, newestSequence),
  readThrough: state.watermark,
  records: state.records,
  code: state.code ?? state.parked.find(({ replaying }) => !replaying)?.code ?? null,
  parked: state.parked,
  nextTryAt: state.status === 'waiting' && !state.held ? state.dueAt : null,
});

/** What the row of a session and strategy means to people. */
export const statusOf = (state: SessionStrategyState, newestSequence: number): SessionExtractionStatus => {
  if (state.status === 'parked') return 'parked';
  if (state.held) return 'running';
  if (state.status === 'waiting' && state.code !== null) {
    return state.code === BUDGET_SPENT ? 'waiting_for_budget' : 'retrying';
  }
  if (state.status === 'waiting') return 'accepted';
  if (state.runsByItself && state.watermark < newestSequence) return 'accepted'; // not noted by the dispatcher yet
  if (state.parked.length > 0) return 'parked';
  if (state.watermark === 0) return 'not_requested';
  return state.records > 0 ? 'extracted' : 'empty';
};
