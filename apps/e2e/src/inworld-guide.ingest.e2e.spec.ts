import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { turn, type Api } from './harness/api.js';
import { EventStreamReader } from './harness/event-stream.js';
import { RealtimeSession, type MemoryState, type RealtimeMessage } from './harness/realtime.js';
import { runPage } from './harness/page-commands.js';
import { Stack } from './harness/stack.js';

const BASE_SYSTEM_PROMPT = 'You are a friendly running coach. Keep responses brief.';
const MAX_FACTS = 3;
const SARAH = [
  "User's name is Sarah.",
  'Sarah is preparing for a marathon in October.',
  "Sarah's longest run so far is 18 km.",
];

const SARAHS_SUMMARY =
  'Sarah is training for an October marathon and tracking her long runs. She asked about pacing strategy and tapering, ' +
  'and is following a Pfitzinger plan.';

interface Restored {
  readonly facts: readonly string[];
  readonly summary: string;
  readonly messages: readonly RealtimeMessage[];
}

/**
 * The reconnect handler of Inworld's guide on long-term memory. `loadMemory`, `persistMemory` and `appendTurn` are
 * requests to us; the memory block and the turns to replay, which the guide builds by hand, come ready-made.
 */
const startSession = async (api: Api, memoryId: string, userId: string, sessionId: string, query?: string) => {
  const realtime = new RealtimeSession();
  const path = { memoryId, actorId: userId, sessionId };
  let lastMemoryVersion = 0;

  await realtime.open(async (message, send) => {
    if (message.type === 'session.created') {
      const { messages } = await restore(api, memoryId, userId, query);
      for (const restored of messages) send(restored);
    }
    if (message.type === 'session.updated') {
      const session = message['session'] as { providerData?: { memory?: { state: MemoryState | null } } };
      const state = session.providerData?.memory?.state;
      if (state?.version && state.version > lastMemoryVersion) {
        lastMemoryVersion = state.version;
        await persistMemory(api, memoryId, userId, sessionId, state);
      }
    }
    const { transcript } = message;
    if (message.type === 'conversation.item.input_audio_transcription.completed' && transcript) {
      await api.append(path, turn('user', String(transcript)));
    }
    if (message.type === 'response.output_audio_transcript.done' && transcript) {
      await api.append(path, turn('assistant', String(transcript)));
    }
  });
  return realtime;
};

const restore = async (api: Api, memoryId: string, userId: string, query?: string, k?: number): Promise<Restored> => {
  const parameters = new URLSearchParams({ memoryId, turns: '4', instructions: BASE_SYSTEM_PROMPT });
  if (query !== undefined) parameters.set('query', query);
  if (k !== undefined) parameters.set('k', String(k));
  const { status, body } = await api.request<Restored>('GET', `/v1/actors/${userId}/restore?${parameters}`);
  expect(status).toBe(200);
  return body;
};

const persistMemory = async (
  api: Api,
  memoryId: string,
  userId: string,
  sessionId: string,
  state: MemoryState,
): Promise<{ readonly applied: boolean; readonly version: number }> => {
  const path = `/memory/memories/${memoryId}/actors/${userId}/sessions/${sessionId}/memory-state`;
  const body = { ...state, max_facts: MAX_FACTS };
  const answer = await api.request<{ applied: boolean; version: number }>('PUT', path, { body });
  expect(answer.status).toBe(200);
  return answer.body;
};

const openStream = async (api: Api, path: string, headers: Record<string, string> = {}): Promise<EventStreamReader> =>
  new EventStreamReader(
    await fetch(`${api.url}${path}`, { headers: { authorization: `Bearer ${api.apiKey}`, ...headers } }),
  );

/** The event that tells the state as it is now. */
const stateUpdated = async (api: Api, path: string) => ({
  type: 'session.updated',
  session: {
    id: path.split('/').at(-2),
    providerData: { user_id: 'sarah', memory: { state: (await api.request('GET', path)).body } },
  },
});

const instructionsOf = ({ received }: RealtimeSession): string =>
  (received[0] as unknown as { session: { instructions: string } }).session.instructions;

describe("Inworld's reconnect example, with our endpoints instead of a database", () => {
  let stack: Stack;
  let memoryId: string;
  let first: RealtimeSession;
  let second: RealtimeSession;

  beforeAll(async () => {
    stack = await Stack.start({ worker: false });
    memoryId = (await stack.api.createMemory({})).id;
  });
  afterAll(() => stack?.stop());

  it('starts with only the base prompt for an unknown user', async () => {
    first = await startSession(stack.api, memoryId, 'sarah', 'session-1');
    expect(first.received).toEqual([
      {
        type: 'session.update',
        session: { instructions: BASE_SYSTEM_PROMPT, providerData: { memory: { enabled: true } } },
      },
    ]);
  });

  it('keeps what the platform remembers during the session, including items that a full list evicts', async () => {
    await first.turn("Hi, I'm Sarah. I run a marathon in October.", 'Great, Sarah! How far do you run now?');
    await first.turn('18 km was my longest so far.', 'A solid base.');
    await first.generate(SARAH, 'Sarah trains for an October marathon.');
    await first.tellUpdated(); // no change: the version is known
    await first.turn('My left knee hurts on hills.', 'Let us keep it flat, then.');
    await first.generate([...SARAH.slice(1), "Sarah's left knee hurts on hills."], 'Sarah trains; her knee hurts.');
    expect((await restore(stack.api, memoryId, 'sarah')).facts).toEqual([
      ...SARAH,
      "Sarah's left knee hurts on hills.",
    ]);
  });

  it('knows the user in the second session: facts, summary, and the last literal turns', async () => {
    second = await startSession(stack.api, memoryId, 'sarah', 'session-2');
    const instructions = instructionsOf(second);
    expect(instructions.startsWith(BASE_SYSTEM_PROMPT)).toBe(true);
    for (const fact of [...SARAH, "Sarah's left knee hurts on hills."]) expect(instructions).toContain(`- ${fact}`);
    expect(instructions).toContain('Sarah trains; her knee hurts.');
    const item = (role: string, text: string) => ({
      type: 'conversation.item.create',
      item: { type: 'message', role, content: [{ type: 'input_text', text }] },
    });
    expect(second.received.slice(1)).toEqual([
      item('user', '18 km was my longest so far.'),
      item('assistant', 'A solid base.'),
      item('user', 'My left knee hurts on hills.'),
      item('assistant', 'Let us keep it flat, then.'),
    ]);
  });

  it("loses no fact when the second session's version starts at 1 again", async () => {
    await second.turn('I bought new shoes, and the race is in Porto.', 'Porto is lovely in October.');
    await second.generate(["Sarah's race is in Porto."], 'Sarah runs in Porto.');
    const { facts, summary } = await restore(stack.api, memoryId, 'sarah');
    expect(facts).toEqual([...SARAH, "Sarah's left knee hurts on hills.", "Sarah's race is in Porto."]);
    expect(summary).toBe('Sarah trains; her knee hurts. Sarah runs in Porto.');
  });

  it('tolerates duplicate and late states', async () => {
    const late = {
      version: 1,
      facts: ['Sarah hates running.'],
      summary: 'late',
      context_text: '',
      turns_since_gen: 0,
      total_turns: 1,
      items_trimmed: 0,
    };
    const before = await restore(stack.api, memoryId, 'sarah');
    expect(await persistMemory(stack.api, memoryId, 'sarah', 'session-1', late)).toMatchObject({
      applied: false,
      version: 2,
    });
    expect(await restore(stack.api, memoryId, 'sarah')).toEqual(before);
  });

  it('ignores the empty state of a new session', async () => {
    const third = await startSession(stack.api, memoryId, 'sarah', 'session-3');
    await third.tellUpdated();
    await third.generate([], '');
    const { facts, summary } = await restore(stack.api, memoryId, 'sarah');
    expect([facts.length, summary]).toEqual([5, 'Sarah trains; her knee hurts. Sarah runs in Porto.']);
  });

  it('on request puts only what matches the opening words into the prompt, best first', async () => {
    const { facts } = await restore(stack.api, memoryId, 'sarah', 'My knee is hurting again', 2);
    expect(facts[0]).toBe("Sarah's left knee hurts on hills.");
    expect(facts.length).toBeLessThanOrEqual(2);
    const asked = await startSession(stack.api, memoryId, 'sarah', 'session-4', 'Where is my race?');
    expect(instructionsOf(asked)).toContain("- Sarah's race is in Porto.");
    expect(instructionsOf(asked)).not.toContain('knee hurts on hills');
  });

  it('accepts long instructions in a body, and falls back to the newest facts if nothing matches', async () => {
    const instructions = `${BASE_SYSTEM_PROMPT} ${'Be brief. '.repeat(3_000)}`.trim();
    const body = { memoryId, query: "Hi, it's me again!", k: 1, turns: 0, instructions };
    const { status, body: restored } = await stack.api.request<Restored>('POST', '/v1/actors/sarah/restore', { body });
    expect([status, restored.facts]).toEqual([200, ["Sarah's race is in Porto."]]);
    const [update] = restored.messages as unknown as { session: { instructions: string } }[];
    expect(update?.session.instructions.startsWith(instructions)).toBe(true);
  });

  it('reads a captured state as it was sent, with fields of the platform that are unknown here', async () => {
    const path = `/memory/memories/${memoryId}/actors/sarah/sessions/session-5/memory-state`;
    const state = {
      version: 3,
      facts: SARAH,
      summary: SARAHS_SUMMARY,
      context_text: '...what the server prepended...',
      turns_since_gen: 0,
      total_turns: 15,
      items_trimmed: 4,
      language: { code: 'en' },
    };
    const { status, body } = await stack.api.request('PUT', path, { body: state });
    expect([status, body]).toMatchObject([200, { applied: true, version: 3 }]);
    expect((await stack.api.request('GET', path)).body).toEqual(state);
    const newer = { version: 4, facts: [SARAH[0]], summary: '' };
    await stack.api.request('PUT', path, { body: newer });
    expect((await stack.api.request('GET', path)).body).toMatchObject(newer);
  });

  it("pushes session.updated to the guide's own handler when the memory changes, once per version", async () => {
    const path = `/memory/memories/${memoryId}/actors/sarah/sessions/session-6/memory-state`;
    const capture = (version: number, facts: readonly string[]) =>
      stack.api.request('PUT', path, { body: { version, facts, summary: 'Sarah trains.', turns_since_gen: 0 } });
    const stream = await openStream(stack.api, `${path}/stream`);
    await stream.until(({ comments }) => comments.length > 0);
    expect(stream.events).toEqual([]);
    let lastMemoryVersion = 0;
    const persisted: unknown[] = [];
    // As printed in the guide.
    const onMessage = (e: { data: string }): void => {
      const msg = JSON.parse(e.data) as Record<string, never>;
      if (msg['type'] !== 'session.updated') return;
      const state = (msg as unknown as { session?: { providerData?: { memory?: { state?: MemoryState } } } }).session
        ?.providerData?.memory?.state;
      if (!state || !state.version || state.version <= lastMemoryVersion) return;
      lastMemoryVersion = state.version;
      persisted.push(state);
    };
    await capture(1, [SARAH[0]!]);
    await stream.until(({ events }) => events.length === 1);
    await capture(1, ['A late state.']);
    await capture(2, SARAH);
    await stream.until(({ events }) => events.length === 2);
    for (const { data } of stream.events) onMessage({ data: JSON.stringify(data) });
    expect(persisted).toEqual([
      expect.objectContaining({ version: 1, facts: [SARAH[0]] }),
      expect.objectContaining({ version: 2, facts: SARAH }),
    ]);
    expect(stream.events.map(({ id }) => id)).toEqual([1, 2]);
    await stream.close();
    const again = await openStream(stack.api, `${path}/stream`, { 'last-event-id': '1' });
    expect((await again.until(({ events }) => events.length > 0)).events).toMatchObject([
      { id: 2, data: (await stateUpdated(stack.api, path)) as object },
    ]);
    await again.close();
  });

  it('finds each fact once in the vector store of option B', async () => {
    const records = `/memory/memories/${memoryId}/memory-records`;
    const namespace = encodeURIComponent('/user_facts/sarah');
    const persist = (facts: readonly string[]) =>
      stack.api.request('POST', `${records}:insert-directly?namespace=${namespace}`, { body: facts });
    for (const facts of [SARAH.slice(0, 2), SARAH]) expect((await persist(facts)).status).toBe(200);
    const list = await stack.api.request<object[]>('GET', `${records}?namespace=${namespace}`);
    expect(list.body).toHaveLength(SARAH.length);
    const body = { query: 'What race is Sarah preparing for?', limit: 10 };
    const { body: found } = await stack.api.request<{ memory: string }[]>(
      'POST',
      `${records}:search?namespace=${namespace}`,
      { body },
    );
    expect(found[0]?.memory).toBe(SARAH[1]);
  });

  it('puts captured facts into the input of an agent', async () => {
    const session = { memoryId, actorId: 'sarah', sessionId: 'call' };
    const agent = await stack.api.startAgent(session, 'coach');
    await stack.api.append(session, turn('user', 'My knee is hurting again.'));
    const { body } = await stack.api.request<{ messages: { role: string; content: string }[] }>(
      'GET',
      `/v1/agents/${agent.id}/llm-request?memories=1`,
    );
    expect(body.messages[0]).toMatchObject({
      role: 'system',
      content: expect.stringContaining("Sarah's left knee hurts on hills.") as string,
    });
  });

  it('has a page whose commands work', async () => {
    const variables = { TURNKEEPER_URL: stack.api.url, TURNKEEPER_API_KEY: stack.api.apiKey! };
    expect((await runPage('inworld', variables)).trim().split('\n')).toEqual([
      'true',
      '[1,["The user swims on Mondays."]]',
      '["session.updated",["The user swims on Mondays."]]',
      ...['"session.update"', '"conversation.item.create"', 'The user swims on Mondays', 'They plan the week'],
      '"The user swims on Mondays."',
    ]);
  });

  it('reveals nothing about one user to another', async () => {
    expect(await restore(stack.api, memoryId, 'tom')).toMatchObject({ facts: [], summary: '' });
  });
});
