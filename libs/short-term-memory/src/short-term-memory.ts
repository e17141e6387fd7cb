import { formatMessages, type Json } from '@turnkeeper/domain';
import type { Backend } from './backend.js';
import { InProcessBackend } from './in-process-backend.js';
import { HttpBackend, type ServerOptions } from './http-backend.js';

/** One message of a session. */
export interface ContextMessage {
  readonly role: string;
  /** What was said, or the part of it that was heard. */
  readonly content: string;
  readonly metadata: { readonly [key: string]: Json } | null;
  /** ISO 8601. The list is ordered by position, not by this time. */
  readonly timestamp: string;
}

export interface ExactMatchOptions {
  /** Search this session only. Default: all of them. */
  readonly sessionId?: string;
  /** Also search the sessions of the memory's other actors. Default: false. */
  readonly everyActor?: boolean;
  /** Which answer to return if several match. Default `newest`. */
  readonly prefer?: 'newest' | 'oldest';
}

const DEFAULT_LIMIT = 10;
const MOST_MESSAGES = 1_000;

/**
 * Short-term memory of a conversation: the latest messages, as data or as text for a prompt, and earlier answers to
 * exactly the same question. Stored by a Turnkeeper server, or in this process (`:memory:`) for tests and experiments.
 *
 * @example
 * const memory = new ShortTermMemory(':memory:');
 * await memory.addMemory('session-abc', 'user', 'What is the capital of Andorra?');
 * await memory.formatAsString('session-abc'); // 'USER: What is the capital of Andorra?'
 */
export class ShortTermMemory {
  private readonly backend: Backend;

  /** @param where `:memory:`, or the server with the memory and actor that own the sessions */
  constructor(where: ':memory:' | ServerOptions) {
    this.backend = where === ':memory:' ? new InProcessBackend() : new HttpBackend(where);
  }

  /** Appends a message to a session. The first message creates the session. */
  async addMemory(
    sessionId: string,
    role: string,
    content: string,
    metadata: { readonly [key: string]: Json } | null = null,
  ): Promise<void> {
    assertSessionId(sessionId);
    const isEmpty = metadata === null || Object.keys(metadata).length === 0;
    await this.backend.add(sessionId, { role, content, ...(isEmpty ? {} : { metadata }) });
  }

  /** The newest messages of a session, oldest first. @param limit 1–1,000; default 10 */
  async getContext(sessionId: string, limit = DEFAULT_LIMIT): Promise<ContextMessage[]> {
    assertSessionId(sessionId);
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST_MESSAGES) {
      throw new RangeError(`The limit must be a whole number from 1 to ${MOST_MESSAGES}.`);
    }
    return this.backend.context(sessionId, limit);
  }

  /** The same as text: `ROLE: content`, separated by blank lines; empty if there are no messages. */
  async formatAsString(sessionId: string, limit = DEFAULT_LIMIT): Promise<string> {
    const messages = await this.getContext(sessionId, limit);
    return formatMessages(messages.map(({ role, content }) => ({ data: { payloadType: '', role, content } })));
  }

  /**
   * The assistant's answer directly after a user message with exactly this text, in full even if it was interrupted.
   * Returns null if there is none.
   */
  async getExactMatchAnswer(query: string, options: ExactMatchOptions = {}): Promise<string | null> {
    if (options.sessionId !== undefined) {
      assertSessionId(options.sessionId);
      if (options.everyActor === true) {
        throw new RangeError('A session belongs to one actor: give sessionId or everyActor.');
      }
    }
    return query === '' ? null : this.backend.answer(query, options);
  }

  /** Clears a session: its earlier messages are no longer returned as context or answers. */
  async clearSession(sessionId: string): Promise<void> {
    assertSessionId(sessionId);
    await this.backend.clear(sessionId);
  }
}

const MOST_ID_CHARACTERS = 255;

/** `.` and `..` cannot be used in a URL: clients interpret them as path steps, even when escaped. */
const assertSessionId = (sessionId: string): void => {
  if (sessionId === '' || sessionId.length > MOST_ID_CHARACTERS || sessionId === '.' || sessionId === '..') {
    throw new RangeError(`The session id must have 1 to ${MOST_ID_CHARACTERS} characters and be more than dots.`);
  }
};
