import {
  assertNamespaceValues,
  contentSession,
  NO_ACTOR,
  StrategyIsDisabled,
  StrategyNotFound,
  type NewEvent,
} from '@turnkeeper/domain';
import { requireMemory } from '../memories/require-memory.js';
import type { Ids } from '../shared/clock.port.js';
import type { EventStore } from '../log/event-store.port.js';
import type { ExtractionSchedule } from './extraction-schedule.port.js';
import type { MemoryStore } from '../memories/memory-store.port.js';

export interface SubmittedContent {
  readonly strategyId: string;
  /** Owner of the resulting records; required if the strategy's namespace template uses it. */
  readonly actorId: string | undefined;
  /** The conversation it belongs to, if any. It is not appended to that session. */
  readonly sessionId: string | undefined;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/**
 * Submits messages that are in no session for extraction by one strategy. They are stored in a separate hidden session,
 * so that the resulting records have their sources in the log and an actor's erasure covers them.
 */
export class SubmitContent {
  constructor(
    private readonly deps: {
      readonly memories: MemoryStore;
      readonly eventStore: EventStore;
      readonly extractionSchedule: ExtractionSchedule;
      readonly ids: Ids;
    },
  ) {}

  async execute(tenantId: string, memoryId: string, content: SubmittedContent): Promise<void> {
    const { memories, eventStore, extractionSchedule, ids } = this.deps;
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
      actorId: actorId ?? NO_ACTOR,
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
    await extractionSchedule.request(scope, strategyId);
  }
}
