import type { SearchTurnsBody } from '@turnkeeper/contracts';
import { assertReaches, refusal, type Reach } from '@turnkeeper/domain';
import { besideRequireMemory, requireMemory } from '../memories/require-memory.js';
import type { EventStore } from '../log/event-store.port.js';
import type { MemoryStore } from '../memories/memory-store.port.js';
import type { TurnHit, TurnScope, TurnSearch } from '../recall/turn-search.port.js';

/** @param currentSequence the newest sequence of the session; 0 for an empty session */
export class SessionNotThatFar extends refusal('session.not_that_far', 'late', (currentSequence: number) => ({
  message: 'The session has not reached that sequence.',
  field: 'afterSequence',
  rule: 'must have been returned by an append to this session',
  next: 'Append first; appended turns are searchable immediately.',
  facts: { currentSequence },
})) {}

interface Deps {
  readonly memories: Pick<MemoryStore, 'find'>;
  readonly turns: Pick<TurnSearch, 'search'>;
  readonly eventStore: Pick<EventStore, 'sessionSequence'>;
}

/** Searches conversation turns. Sees everything committed before the request, indexed or not. */
export class SearchTurns {
  constructor(private readonly deps: Deps) {}

  /**
   * @param afterSequence a sequence of the scope's session; rejects with `SessionNotThatFar` if the session has not
   * reached it
   */
  async execute(
    reach: Reach,
    scope: TurnScope,
    body: SearchTurnsBody,
    afterSequence?: number,
  ): Promise<readonly TurnHit[]> {
    assertReaches(reach, { memoryId: scope.memoryId, actorId: scope.actorId ?? null });
    const { memories, turns, eventStore } = this.deps;
    if (afterSequence !== undefined && scope.actorId !== undefined && scope.sessionId !== undefined) {
      await requireMemory(memories, scope.tenantId, scope.memoryId);
      const current = await eventStore.sessionSequence({
        tenantId: scope.tenantId,
        memoryId: scope.memoryId,
        actorId: scope.actorId,
        sessionId: scope.sessionId,
      });
      if (current < afterSequence) throw new SessionNotThatFar(current);
    }
    const { query: text, limit, scoreThreshold, window } = body;
    return besideRequireMemory(memories, scope.tenantId, scope.memoryId, () =>
      turns.search(scope, { text, limit, scoreThreshold, window }),
    );
  }
}
