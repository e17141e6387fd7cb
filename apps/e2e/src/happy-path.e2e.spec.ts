import { createHmac } from 'node:crypto';
import { eventually } from '@turnkeeper/testing';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentView, EndpointView, MemoryView, RecordView } from './harness/answers.js';
import { turn, type Session } from './harness/api.js';
import { header, jsonOf, startReceiver, type Received, type Receiver } from './harness/receiver.js';
import { Stack } from './harness/stack.js';

const NAMESPACE = '/facts/maya.lindqvist@example.com';
const TURNS = [
  turn('user', 'Hi, I need to change my delivery address. I moved to Lisbon last month.', { turnId: 7 }),
  turn('assistant', 'Welcome to Lisbon. Which address shall I put down?', { turnId: 7 }),
  turn('user', "Rua das Flores 14. I'm allergic to peanuts, so please leave the granola out.", {
    turnId: 8,
    eventTimestamp: '2023-05-08T13:56:00+02:00',
    metadata: { speaker: 'Maya', mood: { guess: 'calm', số: [1, null, '🌊'] } },
  }),
  turn('assistant', 'I have taken the granola out.', { turnId: 8 }),
  turn('user', '', { turnId: 9 }),
] as const;

interface HistoryWebhook {
  readonly type: string;
  readonly data: {
    readonly agentId: string;
    readonly labels: unknown;
    readonly stopReason: string;
    readonly truncated: boolean;
    readonly contents: readonly { readonly eventId: string; readonly role: string; readonly content: string }[];
  };
}

interface AgoraWebhook {
  readonly noticeId: string;
  readonly productId: number;
  readonly eventType: number;
  readonly sid: string;
  readonly payload: {
    readonly agent_id: string;
    readonly labels: unknown;
    readonly contents: readonly { readonly role: string; readonly content: string; readonly turn_id?: number }[];
  };
}

describe('a conversation goes in, memory comes out', () => {
  let stack: Stack;
  let standard: Receiver;
  let agora: Receiver;
  let standardEndpoint: EndpointView;
  let agoraEndpoint: EndpointView;
  let memory: MemoryView;
  let session: Session;
  let agent: AgentView;
  let appendedIds: string[];

  beforeAll(async () => {
    // Two failures, then success: the third attempt is accepted.
    standard = await startReceiver((_, count) => (count <= 2 ? 500 : 204));
    agora = await startReceiver();
    stack = await Stack.start();
    standardEndpoint = await stack.api.createEndpoint(standard.url);
    agoraEndpoint = await stack.api.createEndpoint(agora.url, { format: 'agora', secret: 'agora-console-secret' });
    memory = await stack.api.createMemory({
      longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC', namespaceTemplate: '/facts/{actorId}' }],
    });
    session = { memoryId: memory.id, actorId: 'maya.lindqvist@example.com', sessionId: 'call 1/2 *>' };
    agent = await stack.api.startAgent(session, 'grocery support', {
      vendor: 'custom',
      systemMessages: [{ role: 'system', content: 'Be brief.' }],
      labels: { customer: 4711 },
    });
    const [first, ...rest] = TURNS;
    const single = await stack.api.append(session, first);
    const batch = await stack.api.appendBatch(session, rest);
    appendedIds = [single, ...batch].map(({ eventId }) => eventId);
  });
  afterAll(async () => {
    await stack?.stop();
    await Promise.all([standard?.close(), agora?.close()]);
  });

  it('returns the history unchanged, in order', async () => {
    const history = await stack.api.history(session);
    expect(history.map(({ id }) => id)).toEqual(appendedIds);
    expect(history.map(({ sequence }) => sequence)).toEqual([2, 3, 4, 5, 6]); // agent.started has the first
    expect(history.map(({ payload, turnId }) => ({ payload, turnId }))).toEqual(
      TURNS.map(({ payload, ...more }) => ({ payload, turnId: (more as { turnId: number }).turnId })),
    );
    expect(history[2]).toMatchObject({
      event_timestamp: '2023-05-08T11:56:00.000Z',
      metadata: { speaker: 'Maya', mood: { guess: 'calm', số: [1, null, '🌊'] } },
    });
  });

  it('stops the agent once', async () => {
    const stopped = await stack.api.stopAgent(agent.id);
    expect(stopped).toMatchObject({ status: 'stopped', startedSequence: 1, stoppedSequence: 7 });
    const again = await stack.api.request('POST', `/v1/agents/${agent.id}/stop`);
    expect([again.status, again.body]).toEqual([409, expect.objectContaining({ code: 'agent.not_running' })]);
  });

  it('creates records that quote their turns', async () => {
    await stack.api.untilExtracted(memory.id);
    const records = await stack.api.records(memory.id, NAMESPACE);
    expect(records.length).toBeGreaterThanOrEqual(2);
    const events = new Map((await stack.api.history(session)).map((event) => [event.id, event]));
    for (const record of records) {
      expect(record.extractor).toMatch(/^notes@\d+$/);
      expect(record.sources.length).toBeGreaterThan(0);
      for (const { eventId, sequence, role, quote } of record.sources) {
        const event = events.get(eventId);
        expect(event).toMatchObject({ sequence, payload: { role } });
        expect(event!.payload.message).toContain(quote);
      }
    }
  });

  it('finds a record by topic, best first, with a score', async () => {
    const hits = await stack.api.search(memory.id, NAMESPACE, 'Which allergies are there? Peanuts?');
    expect(hits[0]?.memory).toMatch(/peanuts/i);
    const scores = hits.map(({ score }) => score ?? -1);
    expect(Math.min(...scores)).toBeGreaterThan(0);
    expect(Math.max(...scores)).toBeLessThanOrEqual(1);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  it('finds nothing in a namespace with the same prefix, and nothing for other tenants', async () => {
    expect(await stack.api.search(memory.id, '/facts/maya', 'peanuts')).toEqual([]);
    const stranger = stack.apiOf(stack.ingests[0]!, await stack.createKey({ tenant: 'globex' }));
    const answer = await stranger.request<RecordView[]>(
      'GET',
      `/memory/memories/${memory.id}/memory-records?namespace=${encodeURIComponent(NAMESPACE)}`,
    );
    expect([answer.status, answer.body]).toEqual([404, expect.objectContaining({ code: 'memory.not_found' })]);
  });

  it('sends the signed history, and retries with the same bytes and id until it is accepted', async () => {
    await eventually(() => standard.received.length >= 2, { withinMs: 20_000, everyMs: 50, what: 'a second attempt' });
    await noteFailures(2);
    await passTime();
    await eventually(() => standard.received.length >= 3, { withinMs: 20_000, everyMs: 50, what: 'a third attempt' });
    await eventually(async () => (await stack.api.deliveries(standardEndpoint.id))[0]?.status === 'delivered');
    const [first, ...retries] = standard.received as readonly [Received, ...Received[]];
    expect(retries).toHaveLength(2);
    for (const retry of retries) {
      expect(retry.raw.equals(first.raw)).toBe(true);
      expect(header(retry, 'webhook-id')).toBe(header(first, 'webhook-id'));
    }
    for (const received of standard.received) {
      const webhook = verified(received, standardEndpoint.secret);
      expect(webhook.type).toBe('agent.history');
      expect(webhook.data).toMatchObject({
        agentId: agent.id,
        labels: { customer: 4711 },
        stopReason: 'requested',
        truncated: false,
      });
      expect(webhook.data.contents.map(({ eventId }) => eventId)).toEqual(appendedIds);
      expect(webhook.data.contents.map(({ role, content }) => ({ role, content }))).toEqual(
        TURNS.map(({ payload }) => ({ role: payload.role, content: payload.message })),
      );
    }
    const [delivery, ...others] = await stack.api.deliveries(standardEndpoint.id);
    expect(others).toEqual([]);
    expect(delivery!.history.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 500],
      [2, 500],
      [3, 204],
    ]);
  });

  it("supports Agora's format: event 103, both signatures over the raw body", async () => {
    await eventually(() => agora.received.length > 0, { everyMs: 20 });
    const [received, ...others] = agora.received as readonly [Received, ...Received[]];
    expect(others).toEqual([]);
    expect(header(received, 'agora-signature')).toBe(hmac('sha1', agoraEndpoint.secret, received.raw));
    expect(header(received, 'agora-signature-v2')).toBe(hmac('sha256', agoraEndpoint.secret, received.raw));
    const webhook = jsonOf<AgoraWebhook>(received);
    expect(webhook).toMatchObject({ productId: 17, eventType: 103, sid: session.sessionId });
    expect(webhook.noticeId).not.toBe('');
    expect(webhook.payload).toMatchObject({ agent_id: agent.id, labels: { customer: 4711 } });
    expect(webhook.payload.contents.map(({ role, content, turn_id }) => ({ role, content, turn_id }))).toEqual(
      TURNS.map(({ payload, ...more }) => ({
        role: payload.role,
        content: payload.message,
        turn_id: (more as { turnId: number }).turnId,
      })),
    );
  });

  it('extracts a session on demand, also for a strategy without automatic runs', async () => {
    const quiet = await stack.api.createMemory({
      longTermMemoryStrategies: [
        {
          name: 'on demand',
          type: 'SEMANTIC',
          enableAutomaticMemoryRecordGeneration: false,
          namespaceTemplate: '/all',
        },
      ],
    });
    const thread = { memoryId: quiet.id, actorId: 'ben', sessionId: 'one' };
    await stack.api.append(thread, turn('user', 'I live in Porto.'));
    await stack.api.untilExtracted(quiet.id);
    expect(await stack.api.records(quiet.id, '/all')).toEqual([]);
    await stack.api.generateFromSession(thread, quiet.longTermMemoryStrategies[0]!.id);
    await stack.api.untilExtracted(quiet.id);
    expect((await stack.api.records(quiet.id, '/all')).map(({ memory: text }) => text)).toEqual([
      expect.stringMatching(/Porto/),
    ]);
  });

  it('resumes where it stopped when triggered without new messages in between', async () => {
    const { id: memoryId, longTermMemoryStrategies } = await stack.api.createMemory({
      longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC', namespaceTemplate: '/all' }],
    });
    const thread = { memoryId, actorId: 'ben', sessionId: 'one' };
    await stack.api.append(thread, turn('user', 'I live in Porto.'));
    await stack.api.untilExtracted(memoryId);
    for (let time = 0; time < 2; time += 1) {
      await stack.api.generateFromSession(thread, longTermMemoryStrategies[0]!.id);
      await stack.api.untilExtracted(memoryId);
    }
    await stack.api.append(thread, turn('user', "I'm allergic to peanuts."));
    await stack.api.untilExtracted(memoryId);
    expect((await stack.inspector.extractedRanges(memoryId)).map(({ from, to }) => [from, to])).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect(await stack.api.records(memoryId, '/all')).toHaveLength(2);
  });

  const noteFailures = (count: number) =>
    eventually(async () => (await stack.api.deliveries(standardEndpoint.id))[0]?.history.length === count);

  /** Skips the half minute until the next attempt. */
  const passTime = () => stack.inspector.rows(`update webhook_deliveries set due_at = now() where status = 'pending'`);
});

/** Verified by the published library, as a customer would. */
const verified = (received: Received, secret: string): HistoryWebhook =>
  new Webhook(secret).verify(
    received.raw.toString('utf8'),
    received.headers as Record<string, string>,
  ) as HistoryWebhook;

const hmac = (algorithm: 'sha1' | 'sha256', secret: string, raw: Buffer): string =>
  createHmac(algorithm, secret).update(raw).digest('hex');
