import type { MessageAppended } from '@turnkeeper/domain';
import type { ContextMessage, ExactMatchOptions } from './short-term-memory.js';

export type NewMessage = Pick<MessageAppended, 'role' | 'content' | 'metadata'>;

/** Storage of messages. Arguments have been validated. */
export interface Backend {
  add(sessionId: string, message: NewMessage): Promise<void>;
  /** The newest `limit` messages, oldest first. */
  context(sessionId: string, limit: number): Promise<ContextMessage[]>;
  answer(query: string, options: ExactMatchOptions): Promise<string | null>;
  clear(sessionId: string): Promise<void>;
}
