import { Turnkeeper, type MemoryHandle } from '@turnkeeper/client';

interface Stored {
  readonly role: string;
  readonly content: string;
  readonly metadata: unknown;
}

/**
 * A memory whose server is a function of this process: records by namespace, one window per session. It follows the
 * rules of the API that the tools rely on: idempotency keys, expected sequences, atomic batches.
 */
export class FakeServer {
  readonly records: { id: string; memory: string; namespace: string }[] = [];
  /** Messages by `actor/session`, cleared ones removed. */
  readonly sessions = new Map<string, Stored[]>();
  private readonly sequences = new Map<string, number>();
  private readonly answers = new Map<string, { request: string; response: unknown }>();
  /** Context block of the next requests. */
  context = '';
  /** Called before each append is decided, to come in between. */
  beforeAppend: () => void = () => undefined;

  readonly memory: MemoryHandle = new Turnkeeper({
    baseUrl: 'http://fake.test',
    apiKey: 'key',
    retry: { maxAttempts: 1 },
    fetch: async (url, init) => this.respond(new URL(String(url)), init ?? {}),
  }).memory('m');

  messages(actorId: string, sessionId: string): string[] {
    const stored = this.sessions.get(`${actorId}/${sessionId}`) ?? [];
    return stored.map(({ role, content }) => `${role}: ${content}`);
  }

  append(actorId: string, sessionId: string, stored: readonly Stored[]): void {
    const session = `${actorId}/${sessionId}`;
    this.sessions.set(session, [...(this.sessions.get(session) ?? []), ...stored]);
    this.sequences.set(session, (this.sequences.get(session) ?? 0) + stored.length);
  }

  private respond(url: URL, init: RequestInit): Response {
    const path = decodeURIComponent(url.pathname);
    const text = typeof init.body === 'string' ? init.body : '{}';
    const body = JSON.parse(text) as Record<string, unknown>;
    const namespace = url.searchParams.get('namespace') ?? '';
    const [, actorId = '', sessionId = ''] = /\/actors\/([^/]+)(?:\/sessions\/([^/]+))?/.exec(path) ?? [];
    if (path.endsWith(':insert-directly')) return ok(this.insert(namespace, body['memoryRecords'] as string[]));
    if (path.endsWith('memory-records:search')) {
      const query = String(body['query']);
      const isValid = query.trim() !== '' && query.length <= 1_000;
      return isValid ? ok(this.search(namespace, body)) : problem(400, 'payload.invalid');
    }
    if (init.method === 'DELETE') return this.delete(path);
    if (path.endsWith('/clear')) {
      this.sessions.delete(`${actorId}/${sessionId}`);
      return new Response(null, { status: 204 });
    }
    if (path.endsWith(`/sessions/${sessionId}/context`)) {
      const all = this.sessions.get(`${actorId}/${sessionId}`) ?? [];
      return ok({ messages: all.slice(-Number(url.searchParams.get('limit'))) });
    }
    if (path.endsWith('/context')) return ok({ text: this.context, tokens: 1, items: [] });
    if (path.endsWith('/events')) return this.decideAppend(actorId, sessionId, text, init);
    if (sessionId !== '') {
      const newestSequence = this.sequences.get(`${actorId}/${sessionId}`);
      return newestSequence === undefined ? problem(404, 'session.not_found') : ok({ newestSequence });
    }
    throw new Error(`No route for ${path}`);
  }

  private decideAppend(actorId: string, sessionId: string, text: string, init: RequestInit): Response {
    this.beforeAppend();
    const key = new Headers(init.headers).get('idempotency-key') ?? '';
    const earlier = this.answers.get(key);
    if (earlier !== undefined) {
      return earlier.request === text ? ok(earlier.response) : problem(422, 'idempotency.body_differs');
    }
    interface Body {
      readonly payload: { readonly role: string; readonly message: string };
      readonly metadata?: unknown;
    }
    const body = JSON.parse(text) as { events?: Body[]; expectedSequence?: number } & Body;
    const newest = this.sequences.get(`${actorId}/${sessionId}`) ?? 0;
    if ((body.expectedSequence ?? newest) !== newest) return problem(409, 'session.sequence_conflict');
    const events = body.events ?? [body];
    this.append(
      actorId,
      sessionId,
      events.map(({ payload, metadata }) => ({
        role: payload.role,
        content: payload.message,
        metadata: metadata ?? null,
      })),
    );
    const response = { events: events.map((_, index) => ({ sequence: newest + index + 1 })) };
    this.answers.set(key, { request: text, response });
    return ok(response);
  }

  private insert(namespace: string, facts: readonly string[]): object {
    const records = facts.map((memory) => {
      const known = this.records.find((record) => record.namespace === namespace && record.memory === memory);
      const record = known ?? { id: `r${this.records.length + 1}`, memory, namespace };
      if (known === undefined) this.records.push(record);
      return { ...record, created: known === undefined };
    });
    return { records };
  }

  /** Records of the namespace that share a word with the query. */
  private search(namespace: string, { query, limit }: { query?: unknown; limit?: unknown }): object[] {
    const words = (text: string): string[] => text.toLowerCase().match(/\w{3,}/g) ?? [];
    const asked = words(String(query));
    return this.records
      .filter((record) => record.namespace === namespace && words(record.memory).some((word) => asked.includes(word)))
      .slice(0, Number(limit));
  }

  private delete(path: string): Response {
    const at = this.records.findIndex(({ id }) => path.endsWith(`/${id}`));
    this.records.splice(at, 1);
    return new Response(null, { status: 200 });
  }
}

const ok = (body: unknown): Response => Response.json(body);
const problem = (status: number, code: string): Response => Response.json({ code, title: code, status }, { status });
