import { Turnkeeper, type MemoryHandle, type SessionHandle } from '@turnkeeper/client';
import type { Backend, NewMessage } from './backend.js';
import type { ContextMessage, ExactMatchOptions, Metadata } from './types.js';

/** A Turnkeeper server, and the memory and actor to use. */
export interface ServerOptions {
  /** URL of the ingest service, e.g. `http://localhost:8080`. */
  readonly url: string;
  readonly apiKey: string;
  readonly memoryId: string;
  /** The user or application that owns all sessions of this object. */
  readonly actorId: string;
  /** Time limit of each request in ms. Failed requests are sent again, and nothing is stored twice. Default 10,000. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/** Stores messages on a server. */
export class HttpBackend implements Backend {
  private readonly turnkeeper: Turnkeeper;
  private readonly memory: MemoryHandle;

  constructor({ url, apiKey, memoryId, timeoutMs = DEFAULT_TIMEOUT_MS, ...options }: ServerOptions) {
    this.turnkeeper = new Turnkeeper({ baseUrl: url, apiKey, timeoutMs });
    this.memory = this.turnkeeper.memory(memoryId);
    this.actorId = options.actorId;
  }

  private readonly actorId: string;

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
