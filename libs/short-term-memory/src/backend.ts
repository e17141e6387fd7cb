import type { MessageAppended } from '@turnkeeper/domain';
import type { ContextMessage, ExactMatchOptions } from './short-term-memory.js';

export type NewMessage = Pick<MessageAppended, 'role' | 'content' | 'metadata'>;

/** Where messages are kept. Arguments have been checked. */
export interface Backend {
  add(sessionId: string, message: NewMessage): Promise<void>;
  /** The newest so many, oldest first. */
  context(sessionId: string, limit: number): Promise<ContextMessage[]>;
  answer(query: string, options: ExactMatchOptions): Promise<string | null>;
  clear(sessionId: string): Promise<void>;
}
