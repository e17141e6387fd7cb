import type { ContextMessage, ExactMatchOptions, Metadata } from './types.js';

export interface NewMessage {
  readonly role: string;
  readonly content: string;
  /** Absent if empty. */
  readonly metadata?: Metadata;
}

/** Storage of messages. Arguments have been validated; calls come in order, and a write never overlaps another call. */
export interface Backend {
  add(sessionId: string, message: NewMessage): Promise<void>;
  /** The newest `limit` messages, oldest first. */
  context(sessionId: string, limit: number): Promise<ContextMessage[]>;
  answer(query: string, options: ExactMatchOptions): Promise<string | null>;
  clear(sessionId: string): Promise<void>;
  close(): Promise<void>;
}
