import {
  assertNamespaceValues,
  contentSession,
  NOBODY,
  StrategyIsDisabled,
  StrategyNotFound,
  type NewEvent,
} from '@turnkeeper/domain';
import { requireMemory } from '../memories/require-memory.js';
import type { Ids } from '../ports/clock.port.js';
import type { EventStore } from '../ports/event-store.port.js';
import type { ExtractionStore } from '../ports/extraction-store.port.js';
import type { MemoryStore } from '../ports/memory-store.port.js';

export interface SubmittedContent {
  readonly strategyId: string;
  /** Whose records it makes; needed where the strategy's namespaces are made from it. */
  readonly actorId: string | undefined;
  /** The conversation that it is of, where there is one. It is not added to it. */
  readonly sessionId: string | undefined;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/**
 * Has messages read for one strategy that are part of no history. They are kept in a session of their own that nobody
 * can name, so that what they give has its sources in the log like everything else, and goes when its actor goes.
 */
export class SubmitContent {
  constructor(
    private readonly deps: {
      readonly memories: MemoryStore;
      readonly eventStore: EventStore;
      readonly extractions: ExtractionStore;
      readonly ids: Ids;
    },
  ) {}

  async execute(tenantId: string, memoryId: string, content: SubmittedContent): Promise<void> {
    const { memories, eventStore, extractions, ids } = this.deps;
    const { strategyId, actorId, sessionId, messages } = content;
    await requireMemory(memories, tenantId, memoryId);
    const strategies = await memories.strategies(tenantId, memoryId);
    const strategy = strategies.find((candidate) => candidate.strategyId === strategyId);
    if (strategy === undefined) throw new StrategyNotFound();
    if (strategy.status === 'DISABLED') throw new StrategyIsDisabled();
    assertNamespaceValues(strategy.namespaceTemplate, { actorId, sessionId });
    const scope = {
      tenantId,
      memoryId,
      actorId: actorId ?? NOBODY,
      sessionId: contentSession(ids.next(), sessionId ?? ''),
    };
    const events = messages.map((data): NewEvent => ({
      eventId: ids.next(),
      type: 'content.submitted',
      schemaVersion: 1,
      data,
      occurredAt: null,
    }));
    await eventStore.append({ ...scope, events });
    await extractions.request(scope, strategyId);
  }
}
