import { formatMessages } from '@turnkeeper/domain';
import type { Backend } from './backend.js';
import { CallOrder } from './call-order.js';
import { FileBackend } from './file-backend.js';
import { HttpBackend, type ServerOptions } from './http-backend.js';
import { InProcessBackend } from './in-process-backend.js';
import type { ContextMessage, ExactMatchOptions, Metadata } from './types.js';
import { assertLimit, assertQuery, assertSessionId, InvalidArgument, messageOf } from './validation.js';

const DEFAULT_LIMIT = 10;

/**
 * Short-term memory of a conversation: the latest messages, as data or as text for a prompt, and earlier answers to
 * exactly the same question. Stored in this process (`:memory:`), in a SQLite file, or by a Turnkeeper server.
 *
 * Calls keep their order even if they are not awaited: a message is stored after all that were added before it, and a
 * read sees them all.
 *
 * @example
 * const memory = new ShortTermMemory('conversations.db');
 * await memory.addMemory('session-abc', 'user', 'What is the capital of Andorra?');
 * await memory.formatAsString('session-abc'); // 'USER: What is the capital of Andorra?'
 */
export class ShortTermMemory {
  private readonly backend: Backend;
  private readonly order = new CallOrder();

  /**
   * @param where `:memory:`, the path of a file, or the server with the memory and actor that own the sessions. A file
   *   is created and opened by the first call; it needs Node 22.13 or later, or the package `libsql`.
   */
  constructor(where: string | ServerOptions) {
    if (where === '') throw new InvalidArgument('where', 'must be :memory:, the path of a file, or a server');
    this.backend =
      typeof where !== 'string'
        ? new HttpBackend(where)
        : where === ':memory:'
          ? new InProcessBackend()
          : new FileBackend(where);
  }

  /**
   * Appends a message to a session. The first message creates the session.
   *
   * @throws InvalidArgument if the message is not valid; then nothing is stored
   */
  async addMemory(sessionId: string, role: string, content: string, metadata: Metadata | null = null): Promise<void> {
    assertSessionId(sessionId);
    const message = messageOf(role, content, metadata);
    await this.order.write(() => this.backend.add(sessionId, message));
  }

  /** The newest messages of a session, oldest first. @param limit 1–1,000; default 10 */
  async getContext(sessionId: string, limit = DEFAULT_LIMIT): Promise<ContextMessage[]> {
    assertSessionId(sessionId);
    assertLimit(limit);
    return this.order.read(() => this.backend.context(sessionId, limit));
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
    assertQuery(query);
    if (options.sessionId !== undefined) {
      assertSessionId(options.sessionId);
      if (options.everyActor === true) {
        throw new InvalidArgument('everyActor', 'must not be given with sessionId: a session belongs to one actor');
      }
    }
    return query === '' ? null : this.order.read(() => this.backend.answer(query, options));
  }

  /** Clears a session: its earlier messages are no longer returned as context or answers. A file deletes them. */
  async clearSession(sessionId: string): Promise<void> {
    assertSessionId(sessionId);
    await this.order.write(() => this.backend.clear(sessionId));
  }

  /** Closes the file after all earlier calls. A later call opens it again. Does nothing on a server. */
  async close(): Promise<void> {
    await this.order.write(() => this.backend.close());
  }
}
