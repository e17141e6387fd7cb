import { eventually, failingModes, startModelServer, tolerableModes, type ModelServer } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { turn, type Session } from './harness/api.js';
import { EventStreamReader } from './harness/event-stream.js';
import { jsonOf, startReceiver } from './harness/receiver.js';
import { Stack } from './harness/stack.js';

describe('extraction over HTTP', () => {
  let model: ModelServer;
  let stack: Stack;

  beforeAll(async () => {
    model = await startModelServer();
    stack = await Stack.start({
      settings: {
        LLM_BASE_URL: model.url,
        LLM_MODEL: 'stub',
        EXTRACTION_MAX_ATTEMPTS: '1',
        // Extraction is not due soon; waiting for it makes it due.
        EXTRACTION_QUIET_SECONDS: '3600',
      },
    });
  });
  afterAll(async () => {
    await stack?.stop();
    await model?.close();
  });

  const newSession = async (type: string, more: object = {}): Promise<Session & { readonly strategyId: string }> => {
    const strategy = { name: 'facts', type, namespaceTemplate: '/{actorId}', ...more };
    const memory = await stack.api.createMemory({ longTermMemoryStrategies: [strategy] });
    const [made] = memory.longTermMemoryStrategies;
    return { memoryId: memory.id, actorId: 'ada', sessionId: 'thread', strategyId: made!.id };
  };
  const sessionPath = ({ memoryId, actorId, sessionId }: Session): string =>
    `/memories/${memoryId}/actors/${actorId}/sessions/${sessionId}`;
  const recordsAfter = ({ memoryId, actorId, sessionId }: Session, sequence: number, waitMs: number): string => {
    const query = new URLSearchParams({ namespace: `/${actorId}`, actorId, sessionId });
    return `/memory/memories/${memoryId}/memory-records?${query}&afterSequence=${sequence}&waitMs=${waitMs}`;
  };

  it('returns recent messages to a reader without waiting for the quiet time', async () => {
    model.behave(tolerableModes.honest);
    const session = await newSession('SEMANTIC');
    const { sequence } = await stack.api.append(session, turn('user', 'FACT: likes tea.'));
    const { status, body } = await stack.api.request<{ memory: string; timesSeen: number }[]>(
      'GET',
      recordsAfter(session, sequence, 20_000),
    );
    expect({ status, body }).toMatchObject({
      status: 200,
      body: [{ memory: 'likes tea.', timesSeen: 1, strength: null }],
    });
    expect((await stack.api.request('GET', `/v1${sessionPath(session)}/extraction`)).body).toEqual({
      newestSequence: 1,
      strategies: [
        {
          strategyId: session.strategyId,
          status: 'extracted',
          readThrough: 1,
          records: 1,
          code: null,
          nextTryAt: null,
          parked: [],
          skipped: {},
        },
      ],
    });
    expect((await stack.api.extraction(session.memoryId)).strategies).toMatchObject([
      { modelCalls: 1, inputTokens: 100, outputTokens: 20 },
    ]);
  });

  it('reports a timeout to a waiting reader', async () => {
    const session = await newSession('SEMANTIC');
    await stack.api.append(session, turn('user', 'FACT: likes tea.'));
    expect(await stack.api.request('GET', recordsAfter(session, 99, 100))).toMatchObject({
      status: 504,
      body: { code: 'memory.not_caught_up' },
    });
    const { memoryId } = session;
    const path = `/memory/memories/${memoryId}/memory-records?namespace=%2Fada&afterSequence=1`;
    expect(await stack.api.request('GET', path)).toMatchObject({ status: 400, body: { code: 'payload.invalid' } });
  });

  it('shows a parked window with the answer, and replays it', async () => {
    model.behave(failingModes.refusal_in_prose);
    const session = await newSession('SEMANTIC');
    await stack.api.append(session, turn('user', 'FACT: likes tea.'));
    await eventually(async () => (await stack.api.request('GET', recordsAfter(session, 1, 100))).status === 409, {
      withinMs: 20_000,
      everyMs: 50,
      what: 'the window is parked',
    });
    const parked = `/v1/memories/${session.memoryId}/extraction/parked`;
    const { actorId, sessionId, strategyId } = session;
    const key = { actorId, sessionId, strategyId };
    expect((await stack.api.request('GET', parked)).body).toMatchObject({
      items: [
        {
          ...key,
          fromSequence: 1,
          toSequence: 1,
          code: 'model.unreadable_answer',
          attempts: 1,
          answer: "I'm sorry, but I can't help with personal data.",
          model: 'stub',
        },
      ],
      next: null,
    });
    const replay = (body: unknown) => stack.api.request('POST', `${parked}:replay`, { body });
    expect(await replay({ strategyId })).toMatchObject({ status: 400 });
    expect(await replay({ ...key, sessionId: 'other' })).toMatchObject({
      status: 404,
      body: { code: 'extraction.not_parked' },
    });
    model.behave(tolerableModes.honest);
    expect(await replay(key)).toMatchObject({ status: 202, body: { replayed: 1 } });
    expect((await stack.api.request('GET', recordsAfter(session, 1, 20_000))).body).toMatchObject([
      { memory: 'likes tea.' },
    ]);
    expect((await stack.api.request('GET', parked)).body).toEqual({ items: [], next: null });
    expect(await replay({})).toMatchObject({ body: { replayed: 0 } });
  });

  it('gives records of a CUSTOM strategy the data that its output schema asks for', async () => {
    const customFactExtractionPrompt = 'Write down each article that is ordered.';
    const outputSchema = {
      type: 'object',
      required: ['article'],
      properties: { article: { type: 'string' }, amount: { type: 'integer' } },
    };
    const session = await newSession('CUSTOM', { customFactExtractionPrompt, outputSchema });
    const data = { article: 'cream', amount: 2 };
    const source = { event: 'm1', quote: 'two litres of cream' };
    model.behave((request, reply) => {
      expect(request.system).toContain(customFactExtractionPrompt);
      const facts = [data, { amount: 'two' }].map((each) => ({
        text: 'Ada ordered cream.',
        sources: [source],
        data: each,
      }));
      reply.completion(JSON.stringify({ facts }));
    });
    const { sequence } = await stack.api.append(session, turn('user', 'I need two litres of cream.'));
    const { body } = await stack.api.request<object[]>('GET', recordsAfter(session, sequence, 20_000));
    expect(body).toMatchObject([{ memory: 'Ada ordered cream.', data }]);
    const { body: state } = await stack.api.request('GET', `/v1${sessionPath(session)}/extraction`);
    expect(state).toMatchObject({ strategies: [{ status: 'extracted', records: 1, skipped: { malformed: 1 } }] });
    const path = `/memory/memories/${session.memoryId}/long-term-memory-strategies/${session.strategyId}`;
    expect((await stack.api.request('GET', path)).body).toMatchObject({ version: 1, outputSchema });
    const bad = { outputSchema: { type: 'object', properties: { article: { $ref: '#' } } } };
    expect(await stack.api.request('PATCH', path, { body: bad })).toMatchObject({
      status: 400,
      body: { code: 'payload.invalid', field: 'outputSchema.properties.article' },
    });
    expect((await stack.api.request('PATCH', path, { body: { outputSchema: null } })).body).toMatchObject({
      version: 2,
      outputSchema: null,
    });
  });

  it("keeps a session's rolling memory, by the strategy's settings, and pushes its changes", async () => {
    model.behave(tolerableModes.honest);
    const receiver = await startReceiver();
    const endpoint = { url: receiver.url, events: ['memory_state.updated'] };
    expect((await stack.api.request('POST', '/v1/webhook-endpoints', { body: endpoint })).status).toBe(201);
    const session = await newSession('SUMMARY', { rollingMemory: { turn_interval: 2, max_facts: 1 } });
    const path = `/memory${sessionPath(session)}/memory-state`;
    const headers = { authorization: `Bearer ${stack.api.apiKey}` };
    const stream = new EventStreamReader(await fetch(`${stack.api.url}${path}/stream`, { headers }));
    const [one, two] = ['FACT: has a dog.', 'FACT: has a cat.'].map((text) => turn('user', text));
    await stack.api.append(session, one);
    const state = async () => (await stack.api.request('GET', path)).body;
    expect(await state()).toMatchObject({ version: 0, facts: [], turns_since_gen: 1, total_turns: 1 });
    await stack.api.append(session, two); // the second turn makes it due
    await stack.api.untilExtracted(session.memoryId);
    expect(await state()).toEqual({
      version: 1,
      facts: ['has a cat.'],
      summary: 'has a dog.',
      context_text: expect.stringContaining('has a cat.'),
      turns_since_gen: 0,
      total_turns: 2,
      items_trimmed: 0,
    });
    await stream.until(({ events }) => events.length > 0);
    await stack.api.request('PUT', path, { body: { version: 2, facts: ['has a bird.'] } });
    await stream.until(({ events }) => events.length > 1);
    expect(stream.events).toMatchObject(
      [{ facts: ['has a cat.'] }, { facts: ['has a bird.'] }].map((memory, at) => ({
        id: at + 1,
        data: { type: 'session.updated', session: { providerData: { memory: { state: memory } } } },
      })),
    );
    await stream.close();
    const sent = () => receiver.received.map((webhook) => jsonOf<{ type: string; data: object }>(webhook));
    await eventually(() => sent().length >= 2, { withinMs: 60_000, what: 'both changes were sent' });
    const { memoryId, actorId, sessionId } = session;
    for (const source of ['extracted', 'captured']) {
      const data = { memoryId, actorId, sessionId, source };
      expect(sent()).toContainEqual(
        expect.objectContaining({ type: 'memory_state.updated', data: expect.objectContaining(data) as unknown }),
      );
    }
    await receiver.close();
  });
});
