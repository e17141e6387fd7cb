import type { SessionMemory } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import { RestoreActor } from './restore-actor.js';

const WORDS_AS_TOKENS = { count: (text: string) => text.split(/\s+/u).filter((word) => word !== '').length };
const MEMORY = '6f0e7a3c-0000-4000-8000-000000000000';

describe('RestoreActor', () => {
  const restore = (
    kept: {
      captured?: string[];
      summary?: string;
      records?: string[];
      fitting?: string[];
      best?: number;
      ownSummary?: string;
    },
    wish: { query?: string; k?: number; budget?: number } = {},
  ) => {
    const { captured = [], summary = '', records = [], fitting = [], best = 1, ownSummary } = kept;
    const session = { version: 1, facts: captured, agedFacts: [], summary } as unknown as SessionMemory;
    const strategy = { strategyId: 's', type: 'SUMMARY', status: 'ACTIVE', namespaceTemplate: '/{actorId}' };
    const hits = fitting.map((text, at) => ({ recordId: `${at}`, text, score: best - at / 100, sources: [] }));
    const newest = records.map((text) => ({
      recordId: text,
      text,
      updatedAt: '2026-05-02T10:00:00.000Z',
      sources: [],
    }));
    const actor = new RestoreActor({
      memories: { find: async () => ({}), strategies: async () => [strategy] },
      eventStore: {},
      rollingMemory: {
        ofActor: async () => [session],
        recordTexts: async () => records,
        rank: async (query: string, texts: string[]) => texts.filter((text) => text.includes(query)),
        recentSessions: async () => (ownSummary === undefined ? [] : ['monday']),
        windows: async () => [{ facts: [], summary: ownSummary }],
      },
      records: { actorsOf: async () => [], search: async () => hits, newest: async () => newest },
      turns: {},
      tokens: WORDS_AS_TOKENS,
    } as unknown as ConstructorParameters<typeof RestoreActor>[0]);
    const query = { memoryId: MEMORY, k: 10, turns: 0, instructions: '', budget: 800, ...wish };
    return actor.execute('tenant', 'ada', query as Parameters<typeof actor.execute>[2]);
  };
  const many = Array.from({ length: 300 }, (_, at) => `The user said fact ${at + 1}.`);

  it('returns the newest facts that fit the budget, oldest first', async () => {
    // Six words each, including the dash.
    const { facts } = await restore({ records: many }, { budget: 100 });
    expect(facts).toEqual(many.slice(-16));
    expect((await restore({ records: many.slice(0, 9) })).facts).toEqual(many.slice(0, 9));
  });

  it('returns at most k facts that match the opening words, without duplicates', async () => {
    const kept = {
      captured: ['Likes tea.', 'Has a cat.'],
      fitting: ['Likes tea.', 'Drinks tea at five.', 'Sells tea.'],
    };
    expect((await restore(kept, { query: 'tea', k: 2 })).facts).toEqual(['Likes tea.', 'Drinks tea at five.']);
  });

  it('returns the newest facts if nothing matches the opening words', async () => {
    const { facts } = await restore({ captured: ['Likes tea.'], records: many }, { query: 'Hi, it’s me again!', k: 3 });
    expect(facts).toEqual(many.slice(-3));
  });

  it('returns the newest facts beside the matches if no match is likely to be wanted', async () => {
    const kept = { best: 0.1, fitting: ['Said hi to Nora.', 'Said hi to Max.'], records: ['Has a cat.', 'Likes tea.'] };
    const { facts } = await restore(kept, { query: 'Hi, it’s me again!', k: 3 });
    expect(facts).toEqual(['Said hi to Nora.', 'Has a cat.', 'Said hi to Max.']);
  });

  it("returns the client's summary, else that of the SUMMARY strategy, within half of the budget", async () => {
    expect((await restore({ summary: 'theirs', ownSummary: 'ours' })).summary).toBe('theirs');
    expect((await restore({ ownSummary: 'ours' })).summary).toBe('ours');
    const { summary, facts } = await restore({ summary: 'word '.repeat(500).trim(), records: many }, { budget: 100 });
    expect(WORDS_AS_TOKENS.count(summary)).toBeLessThanOrEqual(50);
    expect(summary.endsWith('word…')).toBe(true);
    expect(facts.length).toBeGreaterThan(0);
  });
});
