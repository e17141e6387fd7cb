import { Turnkeeper, type MemoryHandle, type SessionHandle, type TurnkeeperOptions } from '@turnkeeper/client';
import type { Backend, NewMessage } from './backend.js';
import type { ContextMessage, ExactMatchOptions, Metadata } from './types.js';

/** A Turnkeeper server, with the options of its client, and the memory and actor to use. `timeoutMs` is 10,000 by default. */
export interface ServerOptions extends TurnkeeperOptions {
  readonly memoryId: string;
  /** The user or application that owns all sessions of this object. */
  readonly actorId: string;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/** Stores messages on a server. */
export class HttpBackend implements Backend {
  private readonly turnkeeper: Turnkeeper;
  private readonly memory: MemoryHandle;

  private readonly actorId: string;

  constructor({ memoryId, actorId, ...options }: ServerOptions) {
    this.turnkeeper = new Turnkeeper({ timeoutMs: DEFAULT_TIMEOUT_MS, ...options });
    this.memory = this.turnkeeper.memory(memoryId);
    this.actorId = actorId;
  }

  async add(sessionId: string, message: NewMessage): Promise<void> {
    await this.session(sessionId).append(message);
  }

  async context(sessionId: string, limit: number): Promise<ContextMessage[]> {
    const messages = await this.session(sessionId).window(limit);
    return messages.map(({ role, content, metadata, occurredAt }) => ({
      role,
      content,
      metadata: metadata as Metadata | null,
      timestamp: occurredAt,
    }));
  }

  async answer(query: string, options: ExactMatchOptions): Promise<string | null> {
    const { sessionId, everyActor = false, prefer = 'newest' } = options;
    if (sessionId !== undefined) return this.session(sessionId).exactMatch(query, { prefer });
    if (!everyActor) return this.memory.actor(this.actorId).exactMatch(query, { prefer });
    const input = { path: { memoryId: this.memory.id }, body: { query, prefer } };
    return (await this.turnkeeper.request('post', '/v1/memories/{memoryId}/exact-match', input)).answer;
  }

  async clear(sessionId: string): Promise<void> {
    await this.session(sessionId).clear({ repeatable: true });
  }

  async close(): Promise<void> {
    // Connections belong to the runtime's fetch.
  }

  private session(sessionId: string): SessionHandle {
    return this.memory.session(this.actorId, sessionId);
  }
}
