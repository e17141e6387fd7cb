import { eventsUntilUpToDate } from './event-stream.js';
import { eventually, problemFaults } from '@turnkeeper/testing';
import { differences } from './conforms.js';
import { plantFrom, plantPath } from './planted-markers.js';
import type {
  AgentView,
  Appended,
  DeliveryView,
  EndpointView,
  ExtractionView,
  ListView,
  MemoryView,
  PageView,
  RecordView,
  StoredEvent,
} from './answers.js';

export interface Answer<T = unknown> {
  readonly status: number;
  readonly contentType: string;
  readonly headers: Headers;
  readonly body: T;
}

export interface RequestParts {
  readonly body?: unknown;
  /** Sent as is, instead of `body`. */
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One conversation thread. */
export interface Session {
  readonly memoryId: string;
  readonly actorId: string;
  readonly sessionId: string;
}

const PAGE = 100;

/** Every error in a test must be actionable and name its request. */
const assertWording = (body: unknown, headers: Headers): void => {
  const problem = body as Readonly<Record<string, unknown>>;
  const faults = problemFaults(problem);
  const id = headers.get('x-request-id');
  if (problem['requestId'] !== id || problem['instance'] !== `urn:uuid:${id}`) faults.push('does not name its request');
  if (faults.length > 0) throw new Error(`Badly worded (${faults.join('; ')}): ${JSON.stringify(body)}`);
};

const bodyOf = (text: string, contentType: string): unknown => {
  if (text === '') return null;
  return contentType.includes('x-ndjson') ? text : JSON.parse(text);
};

/** Every response in a test must be the one that the OpenAPI document describes. */
const assertDocumented = (method: string, path: string, answer: Answer): void => {
  const found = differences(method, path, answer);
  if (found.length === 0) return;
  throw new Error(`Not as documented: ${method} ${path}: ${found.join('; ')}: ${JSON.stringify(answer.body)}`);
};

/** A customer's backend: uses HTTP with a key and nothing else. */
export class Api {
  constructor(
    readonly url: string,
    readonly apiKey: string | null,
    /** Sent with every request. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /** The same caller, sending these headers with every request. */
  with(headers: Readonly<Record<string, string>>): Api {
    return new Api(this.url, this.apiKey, { ...this.headers, ...headers });
  }

  async request<T>(method: string, path: string, parts: RequestParts = {}): Promise<Answer<T>> {
    const content = parts.raw ?? (parts.body === undefined ? null : JSON.stringify(parts.body));
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(this.apiKey === null ? {} : { authorization: `Bearer ${this.apiKey}` }),
        // Also without a body, as ordinary clients do.
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
        ...this.headers,
        ...parts.headers,
      },
      body: content,
    });
    plantPath(path);
    plantFrom(parts.body);
    const contentType = response.headers.get('content-type') ?? '';
    const body = contentType.startsWith('text/event-stream')
      ? (await eventsUntilUpToDate(response)).map(({ data }) => data)
      : bodyOf(await response.text(), contentType);
    plantFrom(body);
    if (contentType.startsWith('application/problem+json')) assertWording(body, response.headers);
    const answer = { status: response.status, contentType, headers: response.headers, body: body as T };
    assertDocumented(method, path, answer);
    return answer;
  }

  createMemory(body: {
    name?: string;
    description?: string;
    eventExpiryDuration?: number;
    longTermMemoryStrategies?: readonly { name: string; type: string; [more: string]: unknown }[];
  }): Promise<MemoryView> {
    return this.expect('POST', '/memory/memories', { body: { name: 'journey', ...body } });
  }

  append(session: Session, body: unknown, headers: Record<string, string> = {}): Promise<Appended> {
    return this.expect('POST', eventsPath(session), { body, headers });
  }

  async appendBatch(session: Session, events: readonly unknown[]): Promise<readonly Appended[]> {
    const answer = await this.expect<{ events: Appended[] }>('POST', eventsPath(session), { body: { events } });
    return answer.events;
  }

  /** Every event of a session, oldest first. */
  async history(session: Session): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    for (let after: number | null = 0; after !== null;) {
      const query = `?order=asc&size=${PAGE}&after=${after}`;
      const page: PageView<StoredEvent> = await this.expect('GET', `${eventsPath(session)}${query}`);
      events.push(...page.listData);
      after = page.next;
    }
    return events;
  }

  records(memoryId: string, namespace: string): Promise<RecordView[]> {
    return this.expect(
      'GET',
      `/memory/memories/${memoryId}/memory-records?limit=1000&namespace=${encodeURIComponent(namespace)}`,
    );
  }

  search(memoryId: string, namespace: string, query: string): Promise<RecordView[]> {
    const path = `/memory/memories/${memoryId}/memory-records:search?namespace=${encodeURIComponent(namespace)}`;
    return this.expect('POST', path, { body: { query } });
  }

  generateFromSession({ memoryId, actorId, sessionId }: Session, strategyId: string): Promise<unknown> {
    const query = new URLSearchParams({ actorId, sessionId, longTermMemoryStrategyId: strategyId });
    return this.expect('POST', `/memory/memories/${memoryId}/memory-records:generate-from-session?${query}`);
  }

  startAgent(session: Session, name: string, more: Record<string, unknown> = {}): Promise<AgentView> {
    return this.expect('POST', '/v1/agents', { body: { ...session, name, ...more } });
  }

  stopAgent(agentId: string): Promise<AgentView> {
    return this.expect('POST', `/v1/agents/${agentId}/stop`);
  }

  createEndpoint(url: string, more: Record<string, unknown> = {}): Promise<EndpointView> {
    return this.expect('POST', '/v1/webhook-endpoints', { body: { url, ...more } });
  }

  /** The newest deliveries to an endpoint. */
  async deliveries(endpointId: string): Promise<readonly DeliveryView[]> {
    const page = await this.expect<ListView<DeliveryView>>('GET', `/v1/webhook-endpoints/${endpointId}/deliveries`);
    return page.items;
  }

  extraction(memoryId: string): Promise<ExtractionView> {
    return this.expect('GET', `/v1/memories/${memoryId}/extraction`);
  }

  /** Waits until every automatic strategy has read everything appended before this call. */
  async untilExtracted(memoryId: string, withinMs = 60_000): Promise<void> {
    let last: ExtractionView | null = null;
    const caughtUp = async () => (last = await this.extraction(memoryId)).caughtUp;
    await eventually(caughtUp, {
      withinMs,
      everyMs: 50,
      what: () => `extraction has caught up: ${JSON.stringify(last)}`,
    });
  }

  private async expect<T>(method: string, path: string, parts: RequestParts = {}): Promise<T> {
    const { status, body } = await this.request<T>(method, path, parts);
    if (status < 200 || status > 299) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }
}

export const eventsPath = ({ memoryId, actorId, sessionId }: Session): string =>
  `/memory/memories/${memoryId}/actors/${encodeURIComponent(actorId)}/sessions/${encodeURIComponent(sessionId)}/events`;

/** One turn in AgentBase's format. */
export const turn = (role: string, message: string, more: Record<string, unknown> = {}) => ({
  payload: { type: 'CONVERSATIONAL', role, message },
  ...more,
});
