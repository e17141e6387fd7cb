import { eventually } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentView, MemoryView } from './harness/answers.js';
import { turn, type Session } from './harness/api.js';
import { startReceiver, type Receiver } from './harness/receiver.js';
import { Stack } from './harness/stack.js';

const WHOLE = 'Your refund was sent to your flat in Lisbon, and the walnut cabinet comes with a courier.';
/** Words of the part that was cut off. */
const UNHEARD = /Lisbon|walnut|cabinet|courier/iu;

/** The caller did not hear the rest, so the next call's model must not believe that it was said. */
describe('what a caller did not hear', () => {
  let stack: Stack;
  let receiver: Receiver;
  let memory: MemoryView;
  let session: Session;
  let agent: AgentView;
  let facts: string;

  beforeAll(async () => {
    receiver = await startReceiver();
    stack = await Stack.start();
    await stack.api.createEndpoint(receiver.url);
    memory = await stack.api.createMemory({
      longTermMemoryStrategies: [
        { name: 'facts', type: 'SEMANTIC', namespaceTemplate: '/{actorId}' },
        { name: 'summary', type: 'SUMMARY', namespaceTemplate: '/{actorId}/summary' },
        { name: 'episodes', type: 'EPISODIC', namespaceTemplate: '/{actorId}/episodes' },
      ],
    });
    session = { memoryId: memory.id, actorId: 'ada', sessionId: 'call-1' };
    agent = await stack.api.startAgent(session, 'desk');
    await stack.api.appendBatch(session, [turn('user', 'Where is my refund for the chair?'), turn('assistant', WHOLE)]);
    // Indexed and extracted before the interruption is reported.
    await stack.api.untilExtracted(memory.id);
    facts = JSON.stringify(await allRecords());
    const { status } = await stack.api.request('POST', `/v1/agents/${agent.id}/interrupt`, {
      body: { content: 'Your refund' },
    });
    expect(status).toBe(200);
    // The worker withdraws the records as soon as it sees the interruption.
    await eventually(async () => !UNHEARD.test(JSON.stringify(await allRecords())), { withinMs: 20_000 });
  });
  afterAll(async () => {
    await stack?.stop();
    await receiver?.close();
  });

  const allRecords = async () =>
    Promise.all(['/ada', '/ada/summary', '/ada/episodes'].map((name) => stack.api.records(memory.id, name)));
  const read = async (method: string, path: string, body?: unknown): Promise<string> => {
    const answer = await stack.api.request(method, path, body === undefined ? {} : { body });
    expect(answer.status).toBe(200);
    return JSON.stringify(answer.body, (key, value: unknown) => (key === 'original' ? undefined : value));
  };
  const inMemory = () => `/memory/memories/${memory.id}`;
  const ofSession = () => `/memories/${memory.id}/actors/ada/sessions/call-1`;
  const inSession = () => `${inMemory()}/actors/ada/sessions/call-1`;
  const asked = { query: 'When does my walnut cabinet come to Lisbon, and where is my refund?' };
  const READERS: Record<string, () => Promise<string>> = {
    'the events of the session': () => read('GET', `${inSession()}/events`),
    'its context': () => read('GET', `/v1${ofSession()}/context`),
    'the search of turns': () => read('POST', `${inMemory()}/actors/ada/sessions/call-1/events:search`, asked),
    'the context block of the next call': () => read('POST', `${inMemory()}/actors/ada/context`, asked),
    'the history of the agent': () => read('GET', `/v1/agents/${agent.id}/history`),
    'the request to the model': () => read('GET', `/v1/agents/${agent.id}/llm-request`),
    'the turns that a new session restores': () =>
      read('GET', `/v1/actors/ada/restore?memoryId=${memory.id}&turns=10&query=refund`),
  };

  it.each(Object.keys(READERS))('is not in %s', async (name) => {
    const text = (await READERS[name]?.()) ?? '';
    expect(text).toContain('Your refund');
    expect(text).not.toMatch(UNHEARD);
  });

  it('stays in no current record, and in no reader of records', async () => {
    // Notes were taken of it.
    expect(facts).toMatch(UNHEARD);
    for (const text of [
      await read('GET', `/v1/actors/ada/restore?memoryId=${memory.id}&turns=0`),
      await read('POST', `${inMemory()}/actors/ada/context`, asked),
      await read('GET', `${inSession()}/memory-state`),
    ]) {
      expect(text).not.toMatch(UNHEARD);
    }
  });
});
