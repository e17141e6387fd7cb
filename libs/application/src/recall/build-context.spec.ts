import { atOnce, wholeTenant, type Steps } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import type { RecordReader } from '../records/record-reader.port.js';
import { BuildContext } from './build-context.js';
import { NO_TURNS, type TurnScope } from './turn-search.port.js';

const inSteps = async <T>(steps: Steps<T>) => atOnce(steps);
const strategy = { strategyId: 's', type: 'SEMANTIC', status: 'ACTIVE', namespaceTemplate: '/{actorId}' };
const otherStrategy = { ...strategy, strategyId: 'p', namespaceTemplate: '/likes/{actorId}' };
const episodes = { ...strategy, strategyId: 'e', type: 'EPISODIC' };
const NOW = '2026-05-02T10:00:00.000Z';
const record = (text: string, more: object = {}) => ({
  recordId: text,
  text,
  sources: [],
  saidAt: NOW,
  createdAt: NOW,
  updatedAt: NOW,
  timesSeen: 1,
  strength: null,
  attribute: null,
  ...more,
});

interface Kept {
  readonly matches?: readonly object[];
  readonly newest?: readonly object[];
  /** Records with attributes, newest first. */
  readonly values?: readonly object[];
  readonly hits?: readonly object[];
  readonly successors?: ReadonlyMap<string, readonly object[]>;
}

describe('BuildContext', () => {
  const build = (words: string, kept: Kept) => {
    const { matches = [], newest = [], values = [], hits = [], successors = new Map() } = kept;
    const context = new BuildContext({
      memories: { find: async () => ({}), strategies: async () => [strategy, episodes] },
      eventStore: {},
      rollingMemory: { recentSessions: async () => [] },
      records: {
        search: async () => matches,
        newest: async () => newest,
        attributesOfActor: async () => values,
        successors: async () => successors,
      },
      turns: { open: async () => ({ search: async () => hits }) },
      inSteps,
      tokens: { count: (text: string) => text.split(/\s+/u).length },
    } as unknown as ConstructorParameters<typeof BuildContext>[0]);
    return context.execute(wholeTenant('t'), { tenantId: 't', memoryId: 'm', actorId: 'ada' }, words, 70);
  };
  const texts = ({ items }: { items: readonly { text: string }[] }) => items.map(({ text }) => text);

  it('reads and ranks the turns of the actor once for all strategies', async () => {
    const opened: unknown[] = [];
    const rankings = new Set<unknown>();
    const context = new BuildContext({
      memories: { find: async () => ({}), strategies: async () => [strategy, otherStrategy] },
      eventStore: {},
      rollingMemory: { recentSessions: async () => [] },
      records: {
        search: async (...[, , namespace, { turns }]: Parameters<RecordReader['search']>) => {
          rankings.add(await (await turns?.(['ada']))?.rank());
          return [{ ...record(`User lives in ${namespace}.`), score: 0.9 }];
        },
        newest: async () => [],
        attributesOfActor: async () => [],
        successors: async () => new Map(),
      },
      turns: {
        open: async ({ actorId }: TurnScope) => {
          opened.push(actorId);
          return { speakers: [], rank: async () => NO_TURNS, search: async () => [] };
        },
      },
      inSteps,
      tokens: { count: (text: string) => text.split(/\s+/u).length },
    } as unknown as ConstructorParameters<typeof BuildContext>[0]);
    const { items } = await context.execute(
      wholeTenant('t'),
      { tenantId: 't', memoryId: 'm', actorId: 'ada' },
      'Where?',
      60,
    );
    expect(items).toHaveLength(2);
    expect(opened).toEqual(['ada']);
    expect(rankings).toEqual(new Set([NO_TURNS]));
  });

  it('reads the turns while the strategies, the memory and what the model is shown are read', async () => {
    let opened = (): void => undefined;
    const reading = new Promise<void>((resolve) => (opened = resolve));
    const context = new BuildContext({
      memories: { find: () => reading.then(() => ({})), strategies: () => reading.then(() => []) },
      eventStore: {},
      rollingMemory: { recentSessions: async () => [] },
      records: { successors: async () => new Map(), attributesOfActor: async () => [] },
      turns: {
        open: async () => {
          opened();
          return { search: async () => [] };
        },
      },
      inSteps,
      tokens: { count: () => 1 },
    } as unknown as ConstructorParameters<typeof BuildContext>[0]);
    const shown = reading.then(() => ({ eventIds: new Set<string>() }));
    const scope = { tenantId: 't', memoryId: 'm', actorId: 'ada' };
    expect(await context.execute(wholeTenant('t'), scope, 'Where?', 60, shown)).toMatchObject({ items: [] });
  });

  it('ranks the turns for the start and the end of a long message once, for turns and records', async () => {
    const ranked: string[] = [];
    const context = new BuildContext({
      memories: { find: async () => ({}), strategies: async () => [strategy, otherStrategy] },
      eventStore: {},
      rollingMemory: { recentSessions: async () => [] },
      records: {
        search: async (...[, , , { text, turns }]: Parameters<RecordReader['search']>) => {
          ranked.push(text);
          await (await turns?.(['ada']))?.rank();
          return [];
        },
        newest: async () => [],
        attributesOfActor: async () => [],
        successors: async () => new Map(),
      },
      turns: {
        open: async () => ({
          speakers: [],
          rank: async (text: string) => {
            ranked.push(text);
            return NO_TURNS;
          },
          search: async ({ text }: { text: string }) => {
            ranked.push(text);
            return [];
          },
        }),
      },
      inSteps,
      tokens: { count: (text: string) => text.split(/\s+/u).length },
    } as unknown as ConstructorParameters<typeof BuildContext>[0]);
    const message = `My letter to Nora. ${'The harbour was quiet. '.repeat(200)}Where did we meet?`;
    await context.execute(wholeTenant('t'), { tenantId: 't', memoryId: 'm', actorId: 'ada' }, message, 60);
    expect(ranked).toHaveLength(5);
    expect(new Set(ranked).size).toBe(1);
    expect(ranked[0]).toMatch(/^My letter to Nora\. .* Where did we meet\?$/u);
    expect(ranked[0]?.length).toBeLessThanOrEqual(1_000);
  });

  it('dates a record by when it was said, not by when it was extracted', async () => {
    const { text, items } = await build('', {
      newest: [
        record('User sold the boat.', { saidAt: '2024-07-09T10:00:00.000Z' }),
        record('User has a boat.', { saidAt: '2023-03-01T10:00:00.000Z' }),
      ],
    });
    expect(texts({ items })).toEqual(['User has a boat.', 'User sold the boat.']);
    expect(text).toContain('\nWednesday, 1 March 2023:\n');
    expect(text).not.toContain('2026');
  });

  it('gives a greeting the newest facts beside those that happen to share its words', async () => {
    const weak = Array.from({ length: 20 }, (_, at) => record(`User said hi to neighbour ${at}.`, { score: 0.1 }));
    const newest = [record('User moved to Hue.'), record('User has a boat.')];
    const { items } = await build("Hi, it's me again!", { matches: weak, newest });
    expect(texts({ items })).toEqual(expect.arrayContaining(['User moved to Hue.', 'User has a boat.']));
    expect(texts({ items })).toContain('User said hi to neighbour 0.');
  });

  it('gives a question whose answer is known no newest facts instead of its matches', async () => {
    const matches = Array.from({ length: 20 }, (_, at) => record(`User greeted neighbour ${at}.`, { score: 0.6 }));
    const { items } = await build('Which neighbours?', { matches, newest: [record('User moved to Hue.')] });
    expect(texts({ items })).not.toContain('User moved to Hue.');
    expect(items.length).toBeGreaterThan(3);
  });

  it('prefers facts to the record of a session that matches better, and to a newer one', async () => {
    const boat = record('User has a boat.', { strategyId: 's', score: 0.6 });
    const told = `Session on 2 May 2026. Told: ${'"I have a boat." '.repeat(5)}`;
    const session = record(told, { strategyId: 'e', score: 0.9, saidAt: '2026-05-03T10:00:00.000Z' });
    const facts = Array.from({ length: 2 }, (_, at) => ({ ...boat, recordId: `r${at}`, text: `User has boat ${at}.` }));
    const both = [session, ...facts];
    const named = facts.map(({ text }) => text);
    expect(texts(await build('Which boats?', { matches: both }))).toEqual(named);
    expect(texts(await build('', { newest: both }))).toEqual(named);
    expect(texts(await build('Which boats?', { matches: [session] }))).toEqual([told]);
  });

  it('keeps a fact that was said often before newer ones said once', async () => {
    const boat = record('User has a boat.', { saidAt: '2026-04-25T10:00:00.000Z', timesSeen: 3 });
    const lamps = Array.from({ length: 20 }, (_, at) => record(`User bought lamp ${at}.`));
    expect(texts(await build('', { newest: [...lamps, boat] }))).toContain('User has a boat.');
    const once = { ...boat, timesSeen: 1 };
    expect(texts(await build('', { newest: [...lamps, once] }))).not.toContain('User has a boat.');
  });

  it('begins with the current values, written out beside what was said', async () => {
    const attribute = { name: 'policy_number', value: 'NG44712B', single: true };
    const spelled = { ...record('Ada said: "n g double four 7 1 2 b"'), namespace: '/ada', attribute };
    const { text, items } = await build('', { values: [spelled], newest: [spelled, record('User has a boat.')] });
    expect(text).toContain('[1] Ada said: "n g double four 7 1 2 b" (policy number: NG44712B)');
    expect(items).toHaveLength(2);
    const shown = { ...spelled, text: 'Ada said: "NG44712B"' };
    expect((await build('', { values: [shown] })).text).not.toContain('policy number');
    expect((await build('', { values: [{ ...spelled, namespace: '/other' }] })).text).toBe('');
  });

  it('says of a turn with an old value what holds since', async () => {
    const event = { eventId: 'e1', sequence: 1, sessionId: 's', occurredAt: NOW, recordedAt: NOW };
    const turn = { event: { ...event, data: { role: 'user', content: 'My plan is basic.' } }, score: 0.9 };
    const gold = { text: 'Ada said: "gold now"', attribute: { name: 'plan', value: 'gold', single: true } };
    const { text } = await build('Which plan?', { hits: [turn], successors: new Map([['e1', [gold]]]) });
    expect(text).toContain('user: My plan is basic. (changed since: plan: gold)');
    expect((await build('Which plan?', { hits: [turn] })).text).not.toContain('changed since');
  });
});
