import { isAssistantRole, isUserRole, originalText } from '@turnkeeper/domain';
import type { Backend, NewMessage } from './backend.js';
import type { ContextMessage, ExactMatchOptions } from './types.js';

interface Stored {
  readonly message: NewMessage;
  readonly timestamp: string;
}

interface Session {
  readonly messages: Stored[];
  cleared: boolean;
}

/** The position of a user message. */
interface Asking {
  readonly session: Session;
  readonly sessionId: string;
  readonly place: number;
}

/** Messages of one actor in this process's memory, lost when it exits. */
export class InProcessBackend implements Backend {
  private readonly sessions = new Map<string, Session>();
  /** By text, in the order in which they were asked. */
  private readonly askings = new Map<string, Asking[]>();

  async add(sessionId: string, message: NewMessage): Promise<void> {
    const session = this.sessions.get(sessionId) ?? { messages: [], cleared: false };
    this.sessions.set(sessionId, session);
    const place = session.messages.push({ message, timestamp: new Date().toISOString() }) - 1;
    if (isUserRole(message.role)) this.noteAsking(message.content, { session, sessionId, place });
  }

  async context(sessionId: string, limit: number): Promise<ContextMessage[]> {
    const messages = this.sessions.get(sessionId)?.messages ?? [];
    return messages.slice(-limit).map(({ message, timestamp }) => ({
      role: message.role,
      content: message.content,
      metadata: structuredClone(message.metadata ?? null),
      timestamp,
    }));
  }

  async answer(query: string, { sessionId, prefer = 'newest' }: ExactMatchOptions): Promise<string | null> {
    const askings = this.askings.get(query) ?? [];
    for (const asking of prefer === 'newest' ? askings.toReversed() : askings) {
      if (asking.session.cleared || (sessionId !== undefined && sessionId !== asking.sessionId)) continue;
      const next = asking.session.messages[asking.place + 1]?.message;
      if (next !== undefined && isAssistantRole(next.role) && next.content !== '') return originalText(next);
    }
    return null;
  }

  async clear(sessionId: string): Promise<void> {
    const session = this.sessions.get(sessionId);
    if (session === undefined) return;
    session.cleared = true;
    this.sessions.delete(sessionId);
  }

  async close(): Promise<void> {
    this.sessions.clear();
    this.askings.clear();
  }

  private noteAsking(words: string, asking: Asking): void {
    const known = this.askings.get(words);
    if (known === undefined) this.askings.set(words, [asking]);
    else known.push(asking);
  }
}
