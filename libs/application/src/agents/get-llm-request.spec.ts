import { atOnce, wholeTenant, type Steps } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import { GetLlmRequest } from './get-llm-request.js';

const WORDS_AS_TOKENS = { count: (text: string) => text.split(/\s+/u).length };
const AT = '2026-05-02T10:00:00.000Z';
const STRATEGY = { strategyId: 's', type: 'SEMANTIC', status: 'ACTIVE', namespaceTemplate: '/{actorId}' };
const AGENT = {
  agentId: 'a',
  tenantId: 't',
  memoryId: 'm',
  actorId: 'ada',
  sessionId: 'now',
  vendor: 'openai',
  params: {},
  systemMessages: [],
  maxHistory: 32,
  loadHistory: 0,
  startedSequence: 4,
  stoppedSequence: null,
};

const said = (sessionId: string, sequence: number, content: string, role = 'user') => ({
  type: 'message.appended',
  eventId: `${sessionId}-${sequence}`,
  sessionId,
  sequence,
  recordedAt: AT,
  data: { role, content },
});
type Said = ReturnType<typeof said>;
const record = (text: string, more: { events?: string[]; role?: string; score?: number; saidAt?: string } = {}) => {
  const { events = [], role = 'user', ...rest } = more;
  return {
    recordId: `id of ${text}`,
    text,
    saidAt: AT,
    timesSeen: 1,
    strength: null,
    attribute: null,
    ...rest,
    sources: events.map((eventId, at) => ({ eventId, sequence: at + 1, role, quote: text })),
  };
};

interface Kept {
  readonly now?: readonly Said[];
  readonly hits?: readonly Said[];
  /** The newest turns of the user, newest first. */
  readonly past?: readonly Said[];
  readonly matches?: readonly object[];
  readonly newest?: readonly object[];
  readonly captured?: readonly string[];
  readonly strategies?: readonly object[];
}

const memoryOf = async (
  kept: Kept,
  memories = 10,
  reads: { strategies: number } = { strategies: 0 },
): Promise<string> => {
  const { now = [], hits = [], past = [], matches = [], newest = [], captured = [], strategies = [STRATEGY] } = kept;
  const session = { version: 1, facts: captured, agedFacts: [], summary: '' };
  const useCase = new GetLlmRequest({
    agents: { find: async () => AGENT },
    clock: { now: () => new Date(AT) },
    eventStore: {
      readSessionPage: async () => ({ events: now.toReversed(), bytes: 0, more: false }),
      readSession: async (_: unknown, { before = Infinity }: { before?: number }) =>
        past.filter(({ sequence }) => sequence < before),
    },
    memories: { strategies: async () => ((reads.strategies += 1), strategies) },
    records: {
      search: async () => matches,
      newest: async () => newest,
      attributesOfActor: async () => [],
      successors: async () => new Map(),
    },
    turns: { open: async () => ({ search: async () => hits.map((event) => ({ event, score: 0.9 })) }) },
    rollingMemory: {
      ofActor: async () => [session],
      rank: async (words: string, texts: string[]) => texts.filter((text) => text.includes(words.split(' ').at(-1)!)),
      recentSessions: async () => ['now'],
    },
    inSteps: async <T>(steps: Steps<T>) => atOnce(steps),
    tokens: WORDS_AS_TOKENS,
  } as unknown as ConstructorParameters<typeof GetLlmRequest>[0]);
  const options = { times: false, users: false, original: false, interruptable: true };
  const { messages } = await useCase.execute(wholeTenant('t'), 'a', { ...options, memories });
  const block = messages.find(({ role }) => role === 'system');
  return String(block?.['content'] ?? '');
};
/** Its lines between the tags. */
const notes = (text: string): string[] => text.split('\n').slice(2, -1);

describe("the memory in an agent's request", () => {
  it('shows dates, and the assistant’s facts and earlier turns apart', async () => {
    const text = await memoryOf({
      now: [said('now', 6, 'Any news of my boat?')],
      hits: [said('monday', 1, 'The boat needs a sail.')],
      matches: [
        record('User has a boat.', { events: ['x'], score: 0.9, saidAt: '2025-03-01T10:00:00.000Z' }),
        record('Assistant booked a berth.', { events: ['y'], role: 'assistant', score: 0.8 }),
      ],
    });
    expect(notes(text)).toEqual([
      ...['About the user:', 'Saturday, 1 March 2025:', '[1] User has a boat.'],
      ...['From the assistant:', 'Saturday, 2 May 2026:', '[2] Assistant booked a berth.'],
      ...['Said earlier:', 'Saturday, 2 May 2026:', '[3] user: The boat needs a sail.'],
    ]);
  });

  it('shows what was in the pictures of a turn, by every name that a search reads', async () => {
    const turn = said('monday', 1, 'Look!');
    const pictured = { ...turn, data: { ...turn.data, metadata: { imageDescription: 'a red boat', speaker: 'Ada' } } };
    const text = await memoryOf({ now: [said('now', 6, 'Which boat?')], hits: [pictured] });
    expect(notes(text)).toEqual(['Said earlier:', 'Saturday, 2 May 2026:', '[1] Ada: Look! [shows a red boat]']);
  });

  it('repeats neither the window nor facts that only rest on it, and no turn that its agent has forgotten', async () => {
    const text = await memoryOf({
      now: [said('now', 6, 'I sold the boat.')],
      hits: [said('now', 5, 'Before the reset.'), said('monday', 5, 'The boat needs a sail.')],
      matches: [
        record('User sold the boat.', { events: ['now-6'], score: 0.9 }),
        record('User had a boat.', { events: ['now-6', 'monday-7'], score: 0.8 }),
      ],
    });
    expect(text).toContain('User had a boat.');
    expect(text).toContain('The boat needs a sail.');
    expect(text).not.toContain('User sold the boat.');
    expect(text).not.toContain('Before the reset.');
  });

  it('has turns of earlier calls in the same session, in the order in which they were said', async () => {
    const earlier = [said('now', 3, 'It is too big.', 'assistant'), said('now', 2, 'I bought a sail.')];
    const inOrder = [
      'Said earlier:',
      'Saturday, 2 May 2026:',
      '[1] user: I bought a sail.',
      '[2] assistant: It is too big.',
    ];
    expect(notes(await memoryOf({ now: [said('now', 6, 'Which sail?')], hits: earlier }))).toEqual(inOrder);
    expect(
      notes(await memoryOf({ now: [said('now', 6, 'Hello.')], past: [...earlier, said('now', 5, 'Forgotten.')] })),
    ).toEqual(inOrder);
  });

  it('has at most 800 tokens, with the text around the facts, and as many items as wanted', async () => {
    const newest = Array.from({ length: 100 }, (_, at) => record(`User said ${'word '.repeat(60)} ${at}.`));
    const text = await memoryOf({ newest }, 100);
    expect(WORDS_AS_TOKENS.count(text)).toBeGreaterThan(600);
    expect(WORDS_AS_TOKENS.count(text)).toBeLessThanOrEqual(800);
    expect((await memoryOf({ newest }, 3)).match(/^\[\d+\] /gm)).toHaveLength(3);
    expect(await memoryOf({ newest }, 0)).toBe('');
  });

  it('holds a fact of a captured state, and once if it is a record as well', async () => {
    const kept = { now: [said('now', 6, 'How is my knee')], captured: ['The knee hurts', 'Likes tea.'] };
    expect(notes(await memoryOf(kept, 1))).toEqual(['About the user:', '[1] The knee hurts']);
    const both = await memoryOf({ ...kept, newest: [record('The knee hurts.')] });
    expect(notes(both)).toEqual(['About the user:', '[1] Likes tea.', 'Saturday, 2 May 2026:', '[2] The knee hurts.']);
  });

  it('reads the strategies of the memory once', async () => {
    const reads = { strategies: 0 };
    await memoryOf(
      { now: [said('now', 6, 'My boat?')], matches: [record('User has a boat.', { score: 0.9 })] },
      10,
      reads,
    );
    expect(reads).toEqual({ strategies: 1 });
  });

  it('keeps the sessions of a memory without strategies apart', async () => {
    const kept = { now: [said('now', 6, 'My boat?')], hits: [said('monday', 1, 'The boat needs a sail.')] };
    expect(await memoryOf({ ...kept, strategies: [] })).toBe('');
    expect(await memoryOf(kept)).toContain('The boat needs a sail.');
  });
});
