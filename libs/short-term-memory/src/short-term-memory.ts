import { formatMessages, type Json } from '@turnkeeper/domain';
import type { Backend } from './backend.js';
import { InProcessBackend } from './in-process-backend.js';
import { HttpBackend, type ServerOptions } from './http-backend.js';

/** One message of a session. */
export interface ContextMessage {
  readonly role: string;
  /** What was said, or heard of it. */
  readonly content: string;
  readonly metadata: { readonly [key: string]: Json } | null;
  /** ISO 8601. Order is not told by it but by the place in the list. */
  readonly timestamp: string;
}

export interface ExactMatchOptions {
  /** Look in this session only. Absent: in all of them. */
  readonly sessionId?: string;
  /** Look at what other actors of the memory asked as well. Default: this one's sessions only. */
  readonly everyActor?: boolean;
  /** Which of several answers counts. Default `newest`. */
  readonly prefer?: 'newest' | 'oldest';
}

const DEFAULT_LIMIT = 10;
const MOST_MESSAGES = 1_000;

/**
 * A conversation's short-term memory: the last messages, as data or as text for a prompt, and the answers that were
 * given before to the same words. Kept by a Turnkeeper server, or in this process (`:memory:`) for tests and trials.
 *
 * @example
 * const memory = new ShortTermMemory(':memory:');
 * await memory.addMemory('session-abc', 'user', 'What is the capital of Andorra?');
 * await memory.formatAsString('session-abc'); // 'USER: What is the capital of Andorra?'
 */
export class ShortTermMemory {
  private readonly backend: Backend;

  /** @param where `:memory:`, or the server with the memory and the actor that sessions belong to */
  constructor(where: ':memory:' | ServerOptions) {
    this.backend = where === ':memory:' ? new InProcessBackend() : new HttpBackend(where);
  }

  /** Stores a message at the end of a session. Sessions are made by their first message. */
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

  /** The same as text: `ROLE: content`, a blank line between messages; empty when there are none. */
  async formatAsString(sessionId: string, limit = DEFAULT_LIMIT): Promise<string> {
    const messages = await this.getContext(sessionId, limit);
    return formatMessages(messages.map(({ role, content }) => ({ data: { payloadType: '', role, content } })));
  }

  /**
   * The assistant's answer that directly followed a user's message of exactly these words, whole even where it was cut
   * short when it was spoken; null when there is none.
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

  /** Begins a session anew: neither its context nor its answers are found any more. */
  async clearSession(sessionId: string): Promise<void> {
    assertSessionId(sessionId);
    await this.backend.clear(sessionId);
  }
}

const MOST_ID_CHARACTERS = 255;

/** `.` and `..` cannot be named in a URL: clients take them for steps in the path, however they are written. */
const assertSessionId = (sessionId: string): void => {
  if (sessionId === '' || sessionId.length > MOST_ID_CHARACTERS || sessionId === '.' || sessionId === '..') {
    throw new RangeError(`The session id must have 1 to ${MOST_ID_CHARACTERS} characters and be more than dots.`);
  }
};
