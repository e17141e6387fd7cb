import {
  refusal,
  foldTurns,
  keepsRollingMemory,
  ROLLING_DEFAULTS,
  rollingStateOf,
  SessionNotFound,
  type MemoryStateCaptured,
  type RollingState,
} from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { countUserTurns } from '../extraction/window.js';
import { requireMemory } from '../memories/require-memory.js';
import type { SessionScope } from '../log/event-store.port.js';

export class NoSummaryStrategy extends refusal('strategy.no_summary', 'not_found', {
  message: 'The memory has no rolling memory.',
  field: 'memoryId',
  rule: 'must name a memory with an active SUMMARY strategy',
  next: 'Add one with POST /memory/memories/{id}/long-term-memory-strategies.',
}) {}

/** Maximum number of turns counted since the last generation. */
const MAX_EVENTS = 1_000;
/** Maximum bytes of these turns. */
const MAX_BYTES = 16 * 1_048_576;

/** A session's rolling memory, with the platform's own fields if a client captured it. */
export interface MemoryState extends RollingState {
  readonly extra?: MemoryStateCaptured['extra'];
}

/**
 * A session's rolling memory in Inworld's format: the state that the session's client captured last, or else what the
 * memory's first active SUMMARY strategy has extracted from it, folded from the log.
 */
export class ReadMemoryState {
  constructor(private readonly deps: Pick<Ports, 'memories' | 'eventStore' | 'extractionStates' | 'rollingMemory'>) {}

  /** Rejects with `MemoryNotFound`, `NoSummaryStrategy` or `SessionNotFound`. */
  async execute(scope: SessionScope): Promise<MemoryState> {
    const { memories, eventStore, extractionStates, rollingMemory } = this.deps;
    await requireMemory(memories, scope.tenantId, scope.memoryId);
    const captured = await rollingMemory.lastCaptured(scope);
    if (captured !== null) return captured;
    const strategies = await memories.strategies(scope.tenantId, scope.memoryId);
    const strategy = strategies.find((each) => keepsRollingMemory(each) && each.status === 'ACTIVE');
    if (strategy === undefined) throw new NoSummaryStrategy();
    if ((await eventStore.sessionSequence(scope)) === 0) throw new SessionNotFound();
    const states = await extractionStates.sessionStates(scope);
    const after = states.find(({ strategyId }) => strategyId === strategy.strategyId)?.watermark ?? 0;
    const windows = await rollingMemory.windows(scope, strategy.strategyId);
    const unread = await eventStore.readSession(scope, {
      after,
      // Only turns are counted, so binary events are not read.
      types: ['message.appended'],
      order: 'oldest-first',
      limit: MAX_EVENTS,
      maxBytes: MAX_BYTES,
    });
    return foldTurns(rollingStateOf(windows, strategy.rolling ?? ROLLING_DEFAULTS), countUserTurns(unread));
  }
}
