import { atOnce, wholeTenant, type Steps } from '@turnkeeper/domain';
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
      earlier?: string[];
      records?: string[];
      fitting?: string[];
      best?: number;
      ownSummary?: string;
      often?: string[];
      said?: Record<string, number>;
    },
    wish: { query?: string; k?: number; budget?: number } = {},
  ) => {
    const {
      captured = [],
      summary = '',
      earlier = [],
      records = [],
      fitting = [],
      best = 1,
      ownSummary,
      often = [],
      said = {},
    } = kept;
    const sessions = [...earlier, summary].map((each): SessionMemory => ({
      version: 1,
      facts: each === summary ? captured : [],
      agedFacts: [],
      summary: each,
    }));
    const strategy = { strategyId: 's', type: 'SUMMARY', status: 'ACTIVE', namespaceTemplate: '/{actorId}' };
    const dayOf = (day: number) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString();
    const recordOf = (text: string, day: number) => ({
      recordId: text,
      text,
      saidAt: dayOf(day),
      timesSeen: 1,
      strength: null,
      attribute: null,
      sources: [],
      ...(often.includes(text) ? { timesSeen: 3 } : {}),
    });
    const hits = fitting.map((text, at) => ({ ...recordOf(text, said[text] ?? 0), score: best - at / 100 }));
    const newest = records.map(recordOf).reverse();
    const actor = new RestoreActor({
      memories: { find: async () => ({}), strategies: async () => [strategy] },
      eventStore: {},
      rollingMemory: {
        ofActor: async () => sessions,
        rank: async (query: string, texts: string[]) => texts.filter((text) => text.includes(query)),
        recentSessions: async () => (ownSummary === undefined ? [] : ['monday']),
        windows: async () => [{ facts: [], superseded: [], summary: ownSummary }],
      },
      records: {
        search: async () => hits,
        newestOfActor: async () => newest,
        newest: async () => [],
        successors: async () => new Map(),
      },
      turns: {},
      inSteps: async <T>(steps: Steps<T>) => atOnce(steps),
      tokens: WORDS_AS_TOKENS,
    } as unknown as ConstructorParameters<typeof RestoreActor>[0]);
    const query = { memoryId: MEMORY, k: 10, turns: 0, instructions: '', budget: 800, ...wish };
    return actor.execute(wholeTenant('tenant'), 'ada', query as Parameters<typeof actor.execute>[2]);
  };
  const many = Array.from({ length: 300 }, (_, at) => `The user said fact ${at + 1}.`);

  const blockOf = ({ messages }: Awaited<ReturnType<typeof restore>>): string =>
    messages[0]?.type === 'session.update' ? messages[0].session.instructions : '';

  it('returns the newest facts that fit the budget, oldest first', async () => {
    const restored = await restore({ records: many }, { budget: 100 });
    const { facts } = restored;
    expect(facts.length).toBeGreaterThan(5);
    expect(facts).toEqual(many.slice(-facts.length));
    expect(WORDS_AS_TOKENS.count(blockOf(restored))).toBeLessThanOrEqual(100);
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
    expect(facts).toEqual(['Said hi to Nora.', 'Likes tea.', 'Said hi to Max.']);
  });

  it("returns the client's summary, else that of the SUMMARY strategy, within half of the budget", async () => {
    expect((await restore({ summary: 'theirs', ownSummary: 'ours' })).summary).toBe('theirs');
    expect((await restore({ ownSummary: 'ours' })).summary).toBe('ours');
    const { summary, facts } = await restore({ summary: 'word '.repeat(500).trim(), records: many }, { budget: 100 });
    expect(WORDS_AS_TOKENS.count(summary)).toBeLessThanOrEqual(50);
    expect(summary.endsWith('word…')).toBe(true);
    expect(facts.length).toBeGreaterThan(0);
  });

  it('returns the summaries of earlier sessions before that of the newest, as far as they fit', async () => {
    const kept = { summary: 'Runs in Porto.', earlier: ['Moved to Hue in May.', 'Trains; her knee hurts.'] };
    expect((await restore(kept, { budget: 40 })).summary).toBe(
      'Moved to Hue in May. Trains; her knee hurts. Runs in Porto.',
    );
    expect((await restore(kept, { budget: 15 })).summary).toBe('Trains; her knee hurts. Runs in Porto.');
    expect(blockOf(await restore(kept, { budget: 60 }))).toContain('knee hurts. Runs in Porto.');
  });

  it('counts the summary and all text around the facts in its budget', async () => {
    const restored = await restore({ summary: 'word '.repeat(500).trim(), records: many }, { budget: 150 });
    expect(restored.facts.length).toBeGreaterThan(3);
    expect(WORDS_AS_TOKENS.count(blockOf(restored))).toBeLessThanOrEqual(150);
  });

  it('keeps a fact that was said often before newer ones said once', async () => {
    const records = ['Has a cat.', 'Likes tea.', 'Bought a lamp.'];
    const wish = { query: 'Hi, it’s me again!', k: 2 };
    expect((await restore({ records }, wish)).facts).toEqual(['Likes tea.', 'Bought a lamp.']);
    expect((await restore({ records, often: ['Has a cat.'] }, wish)).facts).toEqual(['Has a cat.', 'Bought a lamp.']);
  });

  it('shows a fact that was captured and extracted once, with its date', async () => {
    const restored = await restore({ captured: ['has a cat', 'Likes tea.'], records: ['Has a cat.'] });
    expect(restored.facts).toEqual(['Likes tea.', 'Has a cat.']);
    expect(blockOf(restored)).toContain('- Likes tea.\n- Has a cat. (2026-01-01)\n');
  });

  it('lists the matches best first, and in the block in the order in which they were said', async () => {
    const restored = await restore({ fitting: ['Likes tea.'], captured: ['Sells tea.'] }, { query: 'tea' });
    expect(restored.facts).toEqual(['Sells tea.', 'Likes tea.']);
    const days = await restore(
      { fitting: ['Drinks tea.', 'Sells tea.'], said: { 'Drinks tea.': 9 } },
      { query: 'tea' },
    );
    expect(days.facts).toEqual(['Drinks tea.', 'Sells tea.']);
    expect(blockOf(days)).toContain('- Sells tea. (2026-01-01)\n- Drinks tea. (2026-01-10)\n');
  });
});
