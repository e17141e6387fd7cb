import { describe, expect, it, vi } from 'vitest';
import { isTurnkeeperError, Turnkeeper, TurnkeeperConnectionError, TurnkeeperError } from './index.js';

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}
type Answer = (sent: Sent, signal: AbortSignal) => Response | Promise<Response>;

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers });
const problem = (status: number, code: string, headers?: Record<string, string>): Response =>
  json({ type: 'x', title: 'No.', status, code, requestId: 'r-1' }, status, headers);
const appended = { eventId: 'e', sequence: 1, position: 1, recordedAt: '2026-01-01T00:00:00Z' };

/** A client whose server gives these answers, the last one again and again. */
const clientOf = (...answers: readonly Answer[]): { client: Turnkeeper; sent: Sent[] } => {
  const sent: Sent[] = [];
  const client = new Turnkeeper({
    baseUrl: 'http://server.test/base//',
    apiKey: async () => 'tk_key',
    retry: { baseDelayMs: 1 },
    fetch: async (url, init) => {
      const request: Sent = {
        method: init?.method ?? '',
        url: String(url),
        headers: init?.headers as Record<string, string>,
        body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
      };
      sent.push(request);
      const answer = answers[Math.min(sent.length, answers.length) - 1];
      return answer!(request, init!.signal!);
    },
  });
  return { client, sent };
};
const refused: Answer = () => Promise.reject(new TypeError('fetch failed'));
const never: Answer = (_, signal) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
const append = (client: Turnkeeper) => client.memory('m').session('a', 's').append({ role: 'user', content: 'hi' });

describe('a request', () => {
  it('has the key, and escapes what is in the path', async () => {
    const { client, sent } = clientOf(() => json({}));
    await client.memory('m').session('Đạt/1', 'a b?').get();
    expect(sent).toMatchObject([
      {
        method: 'GET',
        url: 'http://server.test/base/memory/memories/m/actors/%C4%90%E1%BA%A1t%2F1/sessions/a%20b%3F',
        headers: { authorization: 'Bearer tk_key' },
      },
    ]);
  });

  it.each(['', '.', '..'])('is not sent with the id %j, which would be another path', async (actorId) => {
    const { client, sent } = clientOf(() => json({}));
    await expect(client.memory('m').actor(actorId).delete()).rejects.toThrow(TypeError);
    expect(sent).toEqual([]);
  });

  it('accepts messages as objects', async () => {
    const { client, sent } = clientOf(() => json({ events: [appended, appended] }));
    await client
      .memory('m')
      .session('a', 's')
      .append(
        [
          { role: 'user', content: 'hi', at: new Date(0), metadata: { a: 1 }, turnId: 3 },
          { role: 'tool', content: '{}', toolCallId: 'c' },
        ],
        { expectedSequence: 0 },
      );
    expect(sent[0]!.body).toEqual({
      expectedSequence: 0,
      events: [
        {
          payload: { type: 'CONVERSATIONAL', role: 'user', message: 'hi' },
          eventTimestamp: '1970-01-01T00:00:00.000Z',
          metadata: { a: 1 },
          turnId: 3,
        },
        { payload: { type: 'CONVERSATIONAL', role: 'tool', message: '{}' }, toolCallId: 'c' },
      ],
    });
  });
});

describe('retries', () => {
  it('repeat an append with the same key until it is stored', async () => {
    const { client, sent } = clientOf(
      refused,
      () => problem(503, 'log.unavailable'),
      () => new Response('<html>', { status: 502 }),
      () => json(appended),
    );
    expect(await append(client)).toEqual(appended);
    const keys = sent.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    await append(client);
    expect(sent.at(-1)!.headers['idempotency-key']).not.toBe(keys[0]);
  });

  it.each<[string, Answer, number]>([
    ['after a broken connection', refused, 1],
    ['after a 503 that may have stored it', () => problem(503, 'log.unavailable'), 1],
    ['when the server was too busy to begin', () => problem(503, 'server.busy'), 4],
    ['when the rate is limited', () => problem(429, 'tenant.rate_limited'), 4],
  ])('of what is not idempotent: %s', async (_, answer, requests) => {
    const { client, sent } = clientOf(answer);
    const once = client.request('post', '/memory/memories', { body: { name: 'n' } }, { repeatable: false });
    await expect(once).rejects.toMatchObject({ attempts: requests });
    expect(sent).toHaveLength(requests);
  });

  it('repeat what creates something with the same key, which the server carries out once', async () => {
    const { client, sent } = clientOf(
      refused,
      () => problem(409, 'idempotency.in_progress'),
      () => json({ id: 'm' }),
    );
    expect(await client.memories.create({ name: 'n' })).toMatchObject({ id: 'm' });
    expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(sent[0]!.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
    const unknown = clientOf(refused, () => problem(409, 'idempotency.answer_missing'));
    await expect(unknown.client.memories.create({ name: 'n' })).rejects.toMatchObject({ attempts: 2, status: 409 });
    const search = clientOf(() => json([]));
    await search.client.memory('m').searchTurns('q');
    expect(search.sent[0]!.headers).not.toHaveProperty('idempotency-key');
  });

  it.each<[string, number, string]>([
    ['a refusal', 404, 'memory.not_found'],
    ['a wait that was too short', 504, 'memory.not_caught_up'],
  ])('do not follow %s', async (_, status, code) => {
    const { client, sent } = clientOf(() => problem(status, code));
    const search = client.memory('m').records.search('q', { namespace: '/n' });
    await expect(search).rejects.toMatchObject({ status, code });
    expect(sent).toHaveLength(1);
  });

  it('wait as long as the server asks', async () => {
    vi.useFakeTimers();
    try {
      const { client, sent } = clientOf(
        () => problem(429, 'tenant.rate_limited', { 'retry-after': '7' }),
        () => json(appended),
      );
      const done = append(client);
      await vi.advanceTimersByTimeAsync(6_990);
      expect(sent).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(20);
      expect(await done).toEqual(appended);
    } finally {
      vi.useRealTimers();
    }
  });

  it('do not wait longer than the limit', async () => {
    const { client, sent } = clientOf(() => problem(429, 'tenant.rate_limited', { 'retry-after': '3600' }));
    await expect(append(client)).rejects.toMatchObject({ retryAfterSeconds: 3_600, attempts: 1 });
    expect(sent).toHaveLength(1);
  });

  it('return an agent that the lost first request had stopped', async () => {
    const { client, sent } = clientOf(
      refused,
      () => problem(409, 'agent.not_running'),
      () => json({ id: 'x', status: 'stopped' }),
    );
    expect(await client.agents.stop('x')).toMatchObject({ status: 'stopped' });
    expect(sent.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET']);
    const other = clientOf(() => problem(409, 'agent.not_running'));
    await expect(other.client.agents.stop('x')).rejects.toMatchObject({ code: 'agent.not_running' });
  });
});

describe('a call', () => {
  it('ends with the reason of its signal, while it waits for a response and between attempts', async () => {
    for (const answer of [never, () => problem(503, 'log.unavailable', { 'retry-after': '20' })]) {
      const { client, sent } = clientOf(answer);
      const controller = new AbortController();
      const call = client.memory('m').get({ signal: controller.signal });
      await vi.waitFor(() => expect(sent).toHaveLength(1));
      const reason = new Error('hung up');
      controller.abort(reason);
      await expect(call).rejects.toBe(reason);
    }
  });

  it('has a time limit for each attempt', async () => {
    const { client, sent } = clientOf(never);
    const error: unknown = await client
      .memory('m')
      .get({ timeoutMs: 5, maxAttempts: 2 })
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(TurnkeeperConnectionError);
    expect(error).toMatchObject({ code: 'client.timeout', attempts: 2 });
    expect(sent).toHaveLength(2);
  });

  it('has a time limit for the key, and reports what the function that gives it throws', async () => {
    const fetched = vi.fn<typeof fetch>();
    const clientWith = (apiKey: () => Promise<string>) =>
      new Turnkeeper({
        baseUrl: 'http://server.test',
        apiKey,
        fetch: fetched,
        timeoutMs: 5,
        retry: { baseDelayMs: 1 },
      });
    const hanging = clientWith(() => new Promise(() => undefined)).limits();
    await expect(hanging).rejects.toMatchObject({
      code: 'client.timeout',
      message: 'No key from `apiKey` within 5 ms.',
      attempts: 4,
    });
    const failing = new Error('The vault is sealed.');
    await expect(clientWith(() => Promise.reject(failing)).limits()).rejects.toBe(failing);
    expect(fetched).not.toHaveBeenCalled();
  });

  it('follows no redirect, and says where it leads', async () => {
    const { client, sent } = clientOf(
      () => new Response('', { status: 308, headers: { location: 'https://b.test/' } }),
    );
    await expect(client.memory('m').get()).rejects.toMatchObject({
      code: 'client.redirected',
      message: 'http://server.test redirects to https://b.test/. Set baseUrl to the address that answers.',
      attempts: 1,
    });
    expect(sent).toHaveLength(1);
  });

  it('reports what a server or a proxy says', async () => {
    const { client } = clientOf(() =>
      json(
        {
          type: 'x',
          title: 'The request is not valid.',
          status: 400,
          code: 'payload.invalid',
          detail: 'name is required.',
          next: 'Correct it.',
          issues: [{ field: 'name', rule: 'is required' }],
        },
        400,
        { 'x-request-id': 'r-2' },
      ),
    );
    const error: unknown = await client.memories.create({ name: '' }).catch((e: unknown) => e);
    expect(isTurnkeeperError(error, 'payload.invalid')).toBe(true);
    expect(isTurnkeeperError(error, 'memory.not_found')).toBe(false);
    expect(error).toMatchObject({
      message: 'The request is not valid. name is required.',
      fields: [{ field: 'name', rule: 'is required' }],
      next: 'Correct it.',
      requestId: 'r-2',
    });
    const proxy = clientOf(() => new Response('<html>nope</html>', { status: 403 }));
    const other: unknown = await proxy.client.limits().catch((e: unknown) => e);
    expect(other).toBeInstanceOf(TurnkeeperError);
    expect(other).toMatchObject({ code: 'server.unknown', status: 403, message: 'The server answered 403.' });
    await expect(clientOf(() => new Response('<html>')).client.limits()).rejects.toMatchObject({
      code: 'server.unknown',
    });
  });
});

it('deletes in bulk, a strategy, a tenant and an actor everywhere', async () => {
  const { client, sent } = clientOf(() => json({ answer: 'yes' }));
  const memory = client.memory('m');
  await memory.records.deleteMany({ namespace: '/facts/a' });
  await memory.records.deletion('d');
  await memory.strategies.delete('s', { records: 'delete' });
  await client.admin.deleteTenant('t');
  await client.deleteActor('a');
  await client.caller();
  await memory.records.generateFromSession({ actorId: 'a', sessionId: 's', longTermMemoryStrategyId: 'x' });
  expect(await memory.exactMatch('Why?')).toBe('yes');
  expect(sent.map(({ method, url }) => `${method} ${url.replace('http://server.test/base', '')}`)).toEqual([
    'POST /v1/memories/m/record-deletions',
    'GET /v1/memories/m/record-deletions/d',
    'DELETE /memory/memories/m/long-term-memory-strategies/s?records=delete',
    'DELETE /v1/admin/tenants/t',
    'DELETE /v1/actors/a',
    'GET /v1/auth/caller',
    'POST /memory/memories/m/memory-records:generate-from-session?actorId=a&sessionId=s&longTermMemoryStrategyId=x',
    'POST /v1/memories/m/exact-match',
  ]);
  expect(sent[0]!.body).toEqual({ namespace: '/facts/a' });
});

describe('a list', () => {
  const event = (sequence: number) => ({ id: `e${sequence}`, sequence });
  const pages = (): ReturnType<typeof clientOf> =>
    clientOf(({ url }) => {
      const after = Number(new URL(url).searchParams.get('after'));
      return json({ listData: [event(after + 1), event(after + 2)], next: after >= 4 ? null : after + 2 });
    });

  it('requests its pages while it is iterated', async () => {
    const { client, sent } = pages();
    const all = await client.memory('m').session('a', 's').events().toArray();
    expect(all.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(sent).toHaveLength(3);
    expect(await client.memory('m').session('a', 's').events().toArray(2)).toHaveLength(2);
    expect(sent).toHaveLength(4);
  });

  it('has the cursor of each page, from which it continues', async () => {
    const { client, sent } = pages();
    const events = client.memory('m').session('a', 's').events();
    const cursors = async (after?: string | number) => {
      const seen: unknown[] = [];
      for await (const { items, next } of events.pages(after)) seen.push([items[0]!.sequence, next]);
      return seen;
    };
    expect([await cursors(), await cursors(2), sent.length]).toEqual([
      [
        [1, 2],
        [3, 4],
        [5, null],
      ],
      [
        [3, 4],
        [5, null],
      ],
      5,
    ]);
  });

  it('of records continues after the last one', async () => {
    const { client, sent } = clientOf(
      () => json([{ id: 'a' }, { id: 'b' }]),
      () => json([{ id: 'c' }]),
    );
    const ids = await client.memory('m').records.list({ namespace: '/n', pageSize: 2, timeoutMs: 9_000 }).toArray();
    expect(ids.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual([
      '?namespace=%2Fn&limit=2',
      '?namespace=%2Fn&limit=2&after=b',
    ]);
  });

  it.each<[string, (client: Turnkeeper) => AsyncIterable<{ readonly id?: string }>, string]>([
    ['recent sessions', (client) => client.memory('m').recentSessions({ actorId: 'a' }) as never, '?actorId=a&after=c'],
    ['deletions of records', (client) => client.memory('m').records.deletions(), '?after=c'],
    ['parked windows', (client) => client.memory('m').parkedWindows() as never, '?after=c'],
    ['tenants', (client) => client.admin.tenants() as never, '?limit=100&after=c'],
  ])('of %s continues behind the cursor of its page', async (_, listOf, query) => {
    const { client, sent } = clientOf(
      () => json({ items: [{ id: 'a' }], next: 'c' }),
      () => json({ items: [{ id: 'b' }], next: null }),
    );
    const ids: unknown[] = [];
    for await (const { id } of listOf(client)) ids.push(id);
    expect(ids).toEqual(['a', 'b']);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual([query.replace(/[?&]after=c/, ''), query]);
  });

  it('follows a session until it is aborted', async () => {
    const newest = [2, 2, 3];
    const { client } = clientOf(({ url }) => {
      const after = Number(new URL(url).searchParams.get('after'));
      const head = newest.shift() ?? 3;
      return json({ listData: Array.from({ length: head - after }, (_, n) => event(after + n + 1)), next: null });
    });
    const controller = new AbortController();
    const seen: unknown[] = [];
    const following = (async () => {
      for await (const { sequence } of client
        .memory('m')
        .session('a', 's')
        .follow({ pollMs: 1, signal: controller.signal })) {
        seen.push(sequence);
        if (sequence === 3) controller.abort(new Error('enough'));
      }
    })();
    await expect(following).rejects.toThrow('enough');
    expect(seen).toEqual([1, 2, 3]);
  });
});
