import type { SearchTurnsBody } from '@turnkeeper/contracts';
import { DomainError } from '@turnkeeper/domain';
import { requireMemory } from '../memories/require-memory.js';
import type { EventStore } from '../log/event-store.port.js';
import type { MemoryStore } from '../memories/memory-store.port.js';
import type { TurnHit, TurnScope, TurnSearch } from '../recall/turn-search.port.js';

export class SessionNotThatFar extends DomainError {
  readonly code = 'session.not_that_far';
  readonly kind = 'late';
  /** @param currentSequence the newest sequence of the session; 0 for an empty session */
  constructor(currentSequence: number) {
    super('The session has not reached that sequence.', {
      field: 'afterSequence',
      rule: 'must have been returned by an append to this session',
      next: 'Append first; appended turns are searchable immediately.',
      facts: { currentSequence },
    });
  }
}

interface Deps {
  readonly memories: MemoryStore;
  readonly turns: TurnSearch;
  readonly eventStore: Pick<EventStore, 'sessionSequence'>;
}

/** Searches conversation turns. Sees everything committed before the request, indexed or not. */
export class SearchTurns {
  constructor(private readonly deps: Deps) {}

  /**
   * @param afterSequence a sequence of the scope's session; rejects with `SessionNotThatFar` if the session has not
   * reached it
   */
  async execute(scope: TurnScope, body: SearchTurnsBody, afterSequence?: number): Promise<readonly TurnHit[]> {
    const { memories, turns, eventStore } = this.deps;
    // Checked during the search: a memory of another tenant has no turns.
    const known = requireMemory(memories, scope.tenantId, scope.memoryId);
    if (afterSequence !== undefined && scope.actorId !== undefined && scope.sessionId !== undefined) {
      await known;
      const current = await eventStore.sessionSequence({
        ...{ tenantId: scope.tenantId, memoryId: scope.memoryId },
        ...{ actorId: scope.actorId, sessionId: scope.sessionId },
      });
      if (current < afterSequence) throw new SessionNotThatFar(current);
    }
    const { query: text, limit, scoreThreshold, window } = body;
    const [hits] = await Promise.all([turns.search(scope, { text, limit, scoreThreshold, window }), known]);
    return hits;
  }
}
