import { eventually } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentView, MemoryView } from './harness/answers.js';
import { turn, type Session } from './harness/api.js';
import { jsonOf, startReceiver, type Receiver } from './harness/receiver.js';
import { Stack } from './harness/stack.js';

/** Half of an emoji's surrogate pair: valid in JSON, but Postgres cannot extract it from JSON. */
const HALF = '\ud83d';
/** The replacement in stores that cannot hold it. */
const REPLACED = '\ufffd';

/** Platforms cut interrupted speech anywhere. One tenant's message must not block the work of all. */
describe('a message with half of a surrogate pair', () => {
  let stack: Stack;
  let receiver: Receiver;
  let memory: MemoryView;
  let session: Session;
  let agent: AgentView;

  beforeAll(async () => {
    receiver = await startReceiver();
    stack = await Stack.start();
    await stack.api.createEndpoint(receiver.url);
    memory = await stack.api.createMemory({
      description: `of half ${HALF}`,
      longTermMemoryStrategies: [
        { name: 'facts', type: 'SEMANTIC', namespaceTemplate: '/{actorId}' },
        { name: 'summary', type: 'SUMMARY', namespaceTemplate: '/{actorId}/summary' },
      ],
    });
    session = { memoryId: memory.id, actorId: 'ada', sessionId: 'cut' };
    agent = await stack.api.startAgent(session, 'cut short', { labels: { [`mood ${HALF}`]: HALF } });
    await stack.api.appendBatch(session, [
      turn('user', `I live in Lisbon. ${HALF}`, { metadata: { [HALF]: HALF } }),
      turn('assistant', `Lovely ${HALF}`),
      turn('user', 'I am allergic to peanuts.'),
      turn('assistant', 'Noted, and a longer answer that the user will not hear to its end.'),
    ]);
  });
  afterAll(async () => {
    await stack?.stop();
    await receiver?.close();
  });
  const get = async <T>(path: string): Promise<T> => {
    const { status, body } = await stack.api.request<T>('GET', path);
    expect([status, body]).toEqual([200, expect.anything()]);
    return body;
  };

  it('is returned unchanged', async () => {
    const [first] = await stack.api.history(session);
    expect(first).toMatchObject({ payload: { message: `I live in Lisbon. ${HALF}` }, metadata: { [HALF]: HALF } });
  });

  it('is extracted, with later messages and those of others', async () => {
    const other = { ...session, actorId: 'bob', sessionId: 'whole' };
    await stack.api.append(other, turn('user', 'My name is Bob and I work as a baker.'));
    await stack.api.untilExtracted(memory.id);
    expect((await stack.api.extraction(memory.id)).strategies).toMatchObject([
      { parkedSessions: 0 },
      { parkedSessions: 0 },
    ]);
    const texts = (await stack.api.records(memory.id, '/ada')).map(({ memory: text }) => text).join();
    expect(texts).toMatch(/peanuts/);
    expect(await stack.api.records(memory.id, '/bob')).not.toEqual([]);
    const path = `/memory/memories/${memory.id}/actors/ada/sessions/cut/memory-state`;
    expect(await get(path)).toMatchObject({ total_turns: 2 });
  });

  it('is found by its words', async () => {
    const path = `/v1/memories/${memory.id}/actors/ada/exact-match`;
    const find = async (half: string) =>
      JSON.stringify((await stack.api.request('POST', path, { body: { query: `I live in Lisbon. ${half}` } })).body);
    expect(await find(HALF)).toContain('Lovely');
    for (const other of ['\ud83e', REPLACED]) expect(await find(other)).not.toContain('Lovely');
  });

  it('is in the history sent when its agent stops, also after a cut within a pair', async () => {
    const cut = { content: `Noted, and ${HALF}` };
    const { status } = await stack.api.request('POST', `/v1/agents/${agent.id}/interrupt`, { body: cut });
    expect(status).toBe(200);
    await stack.api.stopAgent(agent.id);
    const histories = () => receiver.received.filter((each) => jsonOf<{ type: string }>(each).type === 'agent.history');
    await eventually(() => histories().length > 0, { what: 'the history has arrived' });
    const [sent] = histories();
    expect(jsonOf<{ data: { contents: unknown } }>(sent!).data.contents).toMatchObject([
      { content: `I live in Lisbon. ${HALF}` },
      { content: `Lovely ${HALF}` },
      { content: 'I am allergic to peanuts.' },
      { content: `Noted, and ${HALF}` },
    ]);
  });

  it('can be erased, with its interruption', async () => {
    const [first, , , last] = await stack.api.history(session);
    for (const event of [last!, first!]) {
      const path = `/memory/memories/${memory.id}/actors/ada/sessions/cut/events/${event.id}`;
      expect((await stack.api.request('DELETE', path)).status).toBeLessThan(300);
    }
    expect(JSON.stringify(await stack.api.history(session))).not.toContain('Lisbon');
    await stack.api.untilExtracted(memory.id);
  });

  it.each(['actorId', 'sessionId'])(
    'is invalid in %s: the database could not tell two such ids apart',
    async (field) => {
      const body = { ...session, name: 'n', [field]: `a${HALF}` };
      const answer = await stack.api.request<{ code: string }>('POST', '/v1/agents', { body });
      expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ field })]);
    },
  );
});
