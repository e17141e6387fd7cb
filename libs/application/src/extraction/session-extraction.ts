import { SessionNotFound } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { requireMemory } from '../memories/require-memory.js';
import type { SessionScope } from '../log/event-store.port.js';
import { BUDGET_SPENT } from './extraction-claims.port.js';
import type { ParkedRange, SessionStrategyState } from './extraction-states.port.js';

/**
 * - `not_requested`: the strategy is on-demand or disabled, and extraction was not requested
 * - `accepted`: new events are waiting to be read
 * - `running`: a worker is reading it now
 * - `retrying`: the last attempt failed; the next one is scheduled
 * - `waiting_for_budget`: the tenant's token budget of today is used up
 * - `extracted`, `empty`: everything was read, with or without records
 * - `parked`: a window failed its last attempt and waits for an operator. Later windows are still read; their status
 *   takes precedence here
 */
export type SessionExtractionStatus =
  'not_requested' | 'accepted' | 'running' | 'retrying' | 'waiting_for_budget' | 'extracted' | 'empty' | 'parked';

/** Progress of one strategy in a session. */
export interface SessionExtraction {
  readonly strategyId: string;
  readonly status: SessionExtractionStatus;
  /** Read up to this sequence. */
  readonly readThrough: number;
  /** Number of records extracted from the session. */
  readonly records: number;
  /** Why the last attempt failed; null if it did not. */
  readonly code: string | null;
  readonly nextTryAt: string | null;
  /** Parked windows. */
  readonly parked: readonly ParkedRange[];
  /** What was skipped, refused (`refused_…`) or kept with a doubt (`doubt_…`), by reason. */
  readonly skipped: Readonly<Record<string, number>>;
}

/** Returns the progress of a memory's strategies in one session. */
export class ReadSessionExtraction {
  constructor(private readonly deps: Pick<Ports, 'memories' | 'eventStore' | 'extractionStates'>) {}

  /** Rejects with `MemoryNotFound` or `SessionNotFound`. */
  async execute(
    scope: SessionScope,
  ): Promise<{ readonly newestSequence: number; readonly strategies: readonly SessionExtraction[] }> {
    const { memories, eventStore, extractionStates } = this.deps;
    await requireMemory(memories, scope.tenantId, scope.memoryId);
    // The order matters: events read after the newest sequence can only delay the result, never falsify it.
    const newestSequence = await eventStore.sessionSequence(scope);
    if (newestSequence === 0) throw new SessionNotFound();
    const states = await extractionStates.sessionStates(scope);
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
  skipped: state.skipped,
  nextTryAt: state.status === 'waiting' && !state.held ? state.dueAt : null,
});

/** Maps the state of a session and strategy to its public status. */
export const statusOf = (state: SessionStrategyState, newestSequence: number): SessionExtractionStatus => {
  if (state.status === 'parked') return 'parked';
  if (state.held) return 'running';
  if (state.status === 'waiting' && state.code !== null) {
    return state.code === BUDGET_SPENT ? 'waiting_for_budget' : 'retrying';
  }
  if (state.status === 'waiting') return 'accepted';
  if (state.runsByItself && state.watermark < newestSequence) return 'accepted'; // not dispatched yet
  if (state.parked.length > 0) return 'parked';
  if (state.watermark === 0) return 'not_requested';
  return state.records > 0 ? 'extracted' : 'empty';
};
