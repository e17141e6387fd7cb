import { assertNamespaceValues, contentSession, NO_ACTOR, type Reach } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { requireMemory } from '../memories/require-memory.js';
import { factOf } from '../log/stored-event.js';
import { requireActiveStrategy } from '../memories/require-strategy.js';
import { assertMayExtract } from './may-extract.js';

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
  constructor(private readonly deps: Pick<Ports, 'memories' | 'eventStore' | 'extractionSchedule' | 'ids'>) {}

  async execute(reach: Reach, memoryId: string, content: SubmittedContent): Promise<void> {
    const { tenantId } = reach;
    const { memories, eventStore, extractionSchedule, ids } = this.deps;
    const { strategyId, actorId, sessionId, messages } = content;
    await requireMemory(memories, tenantId, memoryId);
    const { namespaceTemplate } = await requireActiveStrategy(memories, tenantId, memoryId, strategyId);
    assertNamespaceValues(namespaceTemplate, { actorId, sessionId });
    await assertMayExtract(
      memories,
      reach,
      { memoryId, actorId: actorId ?? '', sessionId: sessionId ?? '' },
      strategyId,
    );
    const scope = {
      tenantId,
      memoryId,
      actorId: actorId ?? NO_ACTOR,
      sessionId: contentSession(ids.next(), sessionId ?? ''),
    };
    const events = messages.map((data) => factOf(ids.next(), 'content.submitted', data));
    await eventStore.append({ ...scope, events });
    await extractionSchedule.request(scope, strategyId);
  }
}
