import { originalOf, sessionView, type LogEvent, type MessageEvent } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { factOf } from '../log/stored-event.js';
import { requireMemory } from '../memories/require-memory.js';
import type { Ids } from '../shared/clock.port.js';
import type { SessionScope } from '../log/event-store.port.js';
import type { MemoryStore } from '../memories/memory-store.port.js';
import type { AnswerPreference, QuestionIndex, QuestionScope } from './question-index.port.js';
import { readNewest } from '../sessions/read-window.js';

type Deps = Pick<Ports, 'eventStore' | 'memories'>;

/**
 * Returns the newest messages of a session in their current state, oldest first, without messages hidden by a reset.
 */
export class GetContext {
  constructor(private readonly deps: Deps) {}

  async execute(scope: SessionScope, limit: number): Promise<readonly MessageEvent[]> {
    await requireMemory(this.deps.memories, scope.tenantId, scope.memoryId);
    return readNewest(this.deps.eventStore, scope, { size: limit, hides: sessionView });
  }
}

/** Resets a session for all its readers. The messages remain in the log. */
export class ClearSession {
  constructor(private readonly deps: Deps & { readonly ids: Ids }) {}

  async execute(scope: SessionScope): Promise<void> {
    const { eventStore, memories, ids } = this.deps;
    await requireMemory(memories, scope.tenantId, scope.memoryId);
    // A session is created by its first message, not by clearing it.
    if ((await eventStore.sessionSequence(scope)) === 0) return;
    const reset = factOf(ids.next(), 'history.reset', { agentId: null, reason: 'cleared' });
    await eventStore.append({ ...scope, events: [reset] });
  }
}

/** An earlier answer and its message. */
export interface EarlierAnswer {
  /** The full answer, even if it was interrupted when spoken. */
  readonly answer: string;
  readonly message: LogEvent<'message.appended'>;
}

/** Finds the answer to an earlier question with exactly the same text. */
export class FindEarlierAnswer {
  constructor(private readonly deps: { readonly questions: QuestionIndex; readonly memories: MemoryStore }) {}

  async execute(scope: QuestionScope, question: string, prefer: AnswerPreference): Promise<EarlierAnswer | null> {
    await requireMemory(this.deps.memories, scope.tenantId, scope.memoryId);
    const message = await this.deps.questions.findAnswer(scope, question, prefer);
    return message === null ? null : { answer: originalOf(message), message };
  }
}
