import { originalOf, sessionView, type LogEvent, type MessageEvent } from '@turnkeeper/domain';
import { factOf } from '../log/stored-event.js';
import { requireMemory } from '../memories/require-memory.js';
import type { Ids } from '../ports/clock.port.js';
import type { EventStore, SessionScope } from '../ports/event-store.port.js';
import type { MemoryStore } from '../ports/memory-store.port.js';
import type { AnswerPreference, QuestionIndex, QuestionScope } from '../ports/question-index.port.js';
import { readNewest } from '../sessions/read-window.js';

interface Deps {
  readonly eventStore: EventStore;
  readonly memories: MemoryStore;
}

/** Gives the newest messages of a session as they stand, oldest first; what a reset has hidden is not among them. */
export class GetContext {
  constructor(private readonly deps: Deps) {}

  async execute(scope: SessionScope, limit: number): Promise<readonly MessageEvent[]> {
    await requireMemory(this.deps.memories, scope.tenantId, scope.memoryId);
    return readNewest(this.deps.eventStore, scope, { size: limit, hides: sessionView });
  }
}

/** Begins a session anew for all its readers. What was said stays in the log. */
export class ClearSession {
  constructor(private readonly deps: Deps & { readonly ids: Ids }) {}

  async execute(scope: SessionScope): Promise<void> {
    const { eventStore, memories, ids } = this.deps;
    await requireMemory(memories, scope.tenantId, scope.memoryId);
    // A session is made by its first message, not by clearing it.
    if ((await eventStore.sessionSequence(scope)) === 0) return;
    const reset = factOf(ids.next(), 'history.reset', { agentId: null, reason: 'cleared' });
    await eventStore.append({ ...scope, events: [reset] });
  }
}

/** An answer that was given before, and where. */
export interface EarlierAnswer {
  /** The whole answer, also where it was cut short when it was spoken. */
  readonly answer: string;
  readonly message: LogEvent<'message.appended'>;
}

/** Finds the answer to a question that was asked before in exactly the same words. */
export class FindEarlierAnswer {
  constructor(private readonly deps: { readonly questions: QuestionIndex; readonly memories: MemoryStore }) {}

  async execute(scope: QuestionScope, question: string, prefer: AnswerPreference): Promise<EarlierAnswer | null> {
    await requireMemory(this.deps.memories, scope.tenantId, scope.memoryId);
    const message = await this.deps.questions.findAnswer(scope, question, prefer);
    return message === null ? null : { answer: originalOf(message), message };
  }
}
