import type { Backend, NewMessage } from './backend.js';
import type { ContextMessage, ExactMatchOptions } from './short-term-memory.js';

/** A Turnkeeper server, and the memory and actor to use. */
export interface ServerOptions {
  /** URL of the ingest service, e.g. `http://localhost:8080`. */
  readonly url: string;
  readonly apiKey: string;
  readonly memoryId: string;
  /** The user or application that owns all sessions of this object. */
  readonly actorId: string;
  /** Timeout per request in ms. Default 10,000. */
  readonly timeoutMs?: number;
}

/** The server rejected a request or failed to answer it. */
export class TurnkeeperRefusal extends Error {
  constructor(
    readonly status: number,
    /** Stable: use this one in code. */
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'TurnkeeperRefusal';
  }
}

const DEFAULT_TIMEOUT_MS = 10_000;

/** Stores messages on a server. */
export class HttpBackend implements Backend {
  private readonly memory: string;
  private readonly actor: string;

  constructor(private readonly options: ServerOptions) {
    this.memory = `memories/${encodeURIComponent(options.memoryId)}`;
    this.actor = `${this.memory}/actors/${encodeURIComponent(options.actorId)}`;
  }

  async add(sessionId: string, { role, content, metadata }: NewMessage): Promise<void> {
    await this.request('POST', `memory/${this.sessionOf(sessionId)}/events`, {
      payload: { type: 'CONVERSATIONAL', role, message: content },
      ...(metadata === undefined ? {} : { metadata }),
    });
  }

  async context(sessionId: string, limit: number): Promise<ContextMessage[]> {
    const path = `v1/${this.sessionOf(sessionId)}/context?limit=${limit}`;
    const { messages } = await this.request<{ messages: ContextMessage[] }>('GET', path);
    return messages.map(({ role, content, metadata, timestamp }) => ({ role, content, metadata, timestamp }));
  }

  async answer(query: string, options: ExactMatchOptions): Promise<string | null> {
    const { sessionId, everyActor = false, prefer = 'newest' } = options;
    const scope = sessionId === undefined ? (everyActor ? this.memory : this.actor) : this.sessionOf(sessionId);
    const path = `v1/${scope}/exact-match?${new URLSearchParams({ query, prefer })}`;
    return (await this.request<{ answer: string | null }>('GET', path)).answer;
  }

  async clear(sessionId: string): Promise<void> {
    await this.request('POST', `v1/${this.sessionOf(sessionId)}/clear`);
  }

  private sessionOf(sessionId: string): string {
    return `${this.actor}/sessions/${encodeURIComponent(sessionId)}`;
  }

  private async request<T>(method: string, path: string, body?: object): Promise<T> {
    const { url, apiKey, timeoutMs = DEFAULT_TIMEOUT_MS } = this.options;
    const response = await fetch(`${url.replace(/(?<!\/)\/+$/, '')}/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as T;
    throw refusalOf(response.status, text);
  }
}

const refusalOf = (status: number, text: string): TurnkeeperRefusal => {
  try {
    const { code = 'server.unknown', title = '', rule = '' } = JSON.parse(text) as { [field: string]: string };
    return new TurnkeeperRefusal(status, code, `${title} ${rule}`.trim());
  } catch {
    // The response came from something in between, such as a proxy.
    return new TurnkeeperRefusal(status, 'server.unknown', `The server answered ${status}.`);
  }
};
