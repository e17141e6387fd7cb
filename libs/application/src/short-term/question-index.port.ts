import type { LogEvent } from '@turnkeeper/domain';
import type { MemoryScope } from '../log/event-store.port.js';

/** Where to look for earlier askings of a question. Every id given narrows the search. */
export interface QuestionScope extends MemoryScope {
  readonly actorId?: string;
  /** Requires `actorId`. */
  readonly sessionId?: string;
}

/** Which answer to return if there are several. */
export type AnswerPreference = 'newest' | 'oldest';

export interface QuestionIndex {
  /**
   * Finds the assistant's message that directly follows a user message with exactly this text; null if there is none. A
   * question without an answer is skipped (at most a thousand times). Messages hidden by a session reset are not found.
   *
   * Constant time in the number of messages. Sees everything committed before the call.
   */
  findAnswer(
    scope: QuestionScope,
    question: string,
    prefer: AnswerPreference,
  ): Promise<LogEvent<'message.appended'> | null>;
}
