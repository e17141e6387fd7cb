import type { RestoreQuery } from '@turnkeeper/contracts';
import {
  actorMemoryOf,
  factKey,
  isUserRole,
  restoreMessages,
  type RestoreMessage,
  type SpokenTurn,
} from '@turnkeeper/domain';
import { readableMessages } from '../extraction/window.js';
import { requireMemory } from '../memories/require-memory.js';
import type { EventStore } from '../ports/event-store.port.js';
import type { MemoryStore } from '../ports/memory-store.port.js';
import type { ActorScope, RollingMemoryStore } from '../ports/rolling-memory-store.port.js';

export interface RestoredActor {
  readonly actorId: string;
  readonly facts: readonly string[];
  readonly summary: string;
  readonly messages: readonly RestoreMessage[];
}

/** Most facts of a memory block; a prompt has an end. */
const MAX_FACTS = 500;
/** Sessions that are looked at for literal turns. */
const MAX_SESSIONS = 10;

/** Puts together what a new realtime session needs to know its user again. */
export class RestoreActor {
  constructor(
    private readonly deps: {
      readonly memories: MemoryStore;
      readonly eventStore: EventStore;
      readonly rollingMemory: RollingMemoryStore;
    },
  ) {}

  async execute(tenantId: string, actorId: string, query: RestoreQuery): Promise<RestoredActor> {
    const { memories, rollingMemory } = this.deps;
    await requireMemory(memories, tenantId, query.memoryId);
    const scope = { tenantId, memoryId: query.memoryId, actorId };
    const captured = actorMemoryOf(await rollingMemory.ofActor(scope));
    const records = await rollingMemory.recordTexts(scope, MAX_FACTS);
    const all = unique([...captured.facts, ...records]).slice(-MAX_FACTS);
    const facts = query.query === undefined ? all : await rollingMemory.rank(query.query, all, query.k);
    const turns = query.turns === 0 ? [] : await this.lastTurns(scope, query.turns);
    const { summary } = captured;
    const messages = restoreMessages({ instructions: query.instructions, facts, summary, turns });
    return { actorId, facts, summary, messages };
  }

  /** The newest messages of both sides, over sessions if need be, oldest first. */
  private async lastTurns(scope: ActorScope, count: number): Promise<readonly SpokenTurn[]> {
    const { eventStore, rollingMemory } = this.deps;
    let turns: SpokenTurn[] = [];
    for (const sessionId of await rollingMemory.recentSessions(scope, MAX_SESSIONS)) {
      const newest = await eventStore.readSession(
        { ...scope, sessionId },
        { types: ['message.appended'], order: 'newest-first', limit: count - turns.length },
      );
      const spoken = readableMessages(newest.reverse()).flatMap(({ role, content }): SpokenTurn[] =>
        isUserRole(role)
          ? [{ role: 'user', text: content }]
          : role.toLowerCase() === 'assistant'
            ? [{ role: 'assistant', text: content }]
            : [],
      );
      turns = [...spoken, ...turns];
      if (turns.length >= count) break;
    }
    return turns.slice(-count);
  }
}

const unique = (texts: readonly string[]): string[] => [
  ...new Map(texts.map((text) => [factKey(text), text])).values(),
];
