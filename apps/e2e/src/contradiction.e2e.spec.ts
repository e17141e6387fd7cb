import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordView } from './harness/answers.js';
import { turn, type Session } from './harness/api.js';
import { cliOutput } from './harness/child-process.js';
import { Stack } from './harness/stack.js';

const NAMESPACE = '/facts/linh';
const WHERE = 'Which city does the user live in?';

interface Explanation {
  readonly sources: readonly { readonly eventId: string; readonly state: string; readonly content: string | null }[];
  readonly runs: readonly {
    readonly did: readonly string[];
    readonly sessionId: string;
    readonly strategyVersion: number;
    readonly strategy: { readonly name: string; readonly type: string } | null;
    readonly extractor: string;
    readonly promptHash: string;
    readonly rawAnswer: string | null;
  }[];
  readonly changes: readonly { readonly kind: string }[];
  readonly supersedes: readonly { readonly memory: string }[];
  readonly supersededBy: readonly { readonly memory: string }[];
}

describe('a user moves from Hanoi to Hue', () => {
  let stack: Stack;
  let memoryId: string;
  let told: Record<'hanoi' | 'hue' | 'back', string>;

  const records = () => `/memory/memories/${memoryId}/memory-records`;
  const search = async (body: object = {}): Promise<RecordView[]> => {
    const path = `${records()}:search?namespace=${encodeURIComponent(NAMESPACE)}`;
    return (await stack.api.request<RecordView[]>('POST', path, { body: { query: WHERE, ...body } })).body;
  };
  const homes = async (body: object = {}): Promise<string[]> =>
    (await search(body)).map(({ memory }) => memory).filter((memory) => /Hanoi|Hue/.test(memory));
  const recordAbout = async (city: string): Promise<RecordView> =>
    (await search({ includeSuperseded: true })).find(({ memory }) => memory.includes(city))!;
  const explain = async ({ id }: RecordView): Promise<Explanation> =>
    (await stack.api.request<Explanation>('GET', `${records()}/${id}/explain`)).body;
  const reinstate = ({ id }: RecordView) => stack.api.request<RecordView>('POST', `${records()}/${id}:reinstate`);
  const say = async (sessionId: string, message: string): Promise<string> => {
    const session: Session = { memoryId, actorId: 'linh', sessionId };
    const { eventId } = await stack.api.append(session, turn('user', message));
    await stack.api.untilExtracted(memoryId);
    return eventId;
  };

  beforeAll(async () => {
    stack = await Stack.start();
    const memory = await stack.api.createMemory({
      longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC', namespaceTemplate: '/facts/{actorId}' }],
    });
    memoryId = memory.id;
    told = { hanoi: await say('monday', 'I live in Hanoi.'), hue: await say('friday', 'I moved to Hue.'), back: '' };
  });
  afterAll(() => stack?.stop());

  it('is found in both by a question that asks for a time, unless superseded records are excluded', async () => {
    const question = { query: 'When did I live in Hanoi, and when did I move to Hue?' };
    expect((await homes(question)).sort()).toEqual([expect.stringContaining('Hanoi'), expect.stringContaining('Hue')]);
    expect(await homes({ ...question, includeSuperseded: false })).toEqual([expect.stringContaining('Hue')]);
  });

  it('is found in Hue, and in Hanoi only if superseded records are included', async () => {
    expect(await homes()).toEqual([expect.stringContaining('Hue')]);
    const both = await search({ includeSuperseded: true });
    const hanoi = both.find(({ memory }) => memory.includes('Hanoi'));
    const hue = both.find(({ memory }) => memory.includes('Hue'));
    expect(hanoi).toMatchObject({ supersededBy: hue!.id, validTo: expect.stringMatching(/^20/) });
    expect(hue).toMatchObject({ supersededBy: null, validTo: null });
    const list = `${records()}?namespace=${encodeURIComponent(NAMESPACE)}`;
    const listed = await stack.api.request<RecordView[]>('GET', `${list}&includeSuperseded=true`);
    expect(listed.body.map(({ id }) => id)).toEqual(expect.arrayContaining([hanoi!.id, hue!.id]));
    expect((await stack.api.request<RecordView[]>('GET', list)).body.map(({ id }) => id)).not.toContain(hanoi!.id);
  });

  it('has an explanation', async () => {
    const hue = await explain(await recordAbout('Hue'));
    expect(hue.sources).toMatchObject([{ eventId: told.hue, state: 'readable', content: 'I moved to Hue.' }]);
    expect(hue.runs).toMatchObject([
      {
        did: ['made', 'superseded_another'],
        sessionId: 'friday',
        strategyVersion: 1,
        strategy: { name: 'facts', type: 'SEMANTIC' },
        extractor: expect.stringMatching(/^notes@/),
        promptHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        rawAnswer: expect.stringContaining('Hue'),
      },
    ]);
    expect(hue.supersedes).toMatchObject([{ memory: expect.stringContaining('Hanoi') }]);
    const hanoi = await explain(await recordAbout('Hanoi'));
    expect(hanoi.runs.map(({ did }) => did)).toEqual([['made'], ['superseded']]);
    expect(hanoi.supersededBy).toMatchObject([{ memory: expect.stringContaining('Hue') }]);
  });

  it('is in both places after a manual correction, which the log records', async () => {
    const hanoi = await recordAbout('Hanoi');
    const { status, body } = await reinstate(hanoi);
    expect([status, body]).toEqual([200, expect.objectContaining({ id: hanoi.id, supersededBy: null, validTo: null })]);
    expect((await homes()).sort()).toEqual([expect.stringContaining('Hanoi'), expect.stringContaining('Hue')]);
    expect((await reinstate(hanoi)).status).toBe(200); // again: no change
    expect((await explain(hanoi)).changes.map(({ kind }) => kind)).toEqual(['supersession_withdrawn']);
  });

  it('cannot reinstate a record if another current record states the same fact', async () => {
    await say('saturday', 'I moved to Hue.'); // said again: one record with two sources
    await say('sunday', 'I live in Vinh.'); // a new value: Hanoi is superseded again
    const hanoi = await recordAbout('Hanoi');
    expect(hanoi.supersededBy).not.toBeNull();
    const insert = `${records()}:insert-directly?namespace=${encodeURIComponent(NAMESPACE)}`;
    await stack.api.request('POST', insert, { body: { memoryRecords: [hanoi.memory] } });
    const { status, body } = await reinstate(hanoi);
    expect([status, body]).toEqual([409, expect.objectContaining({ code: 'record.exists' })]);
  });

  it('keeps only that something was said, once the event is deleted', async () => {
    const path = `/memory/memories/${memoryId}/actors/linh/sessions/friday/events/${told.hue}`;
    expect((await stack.api.request('DELETE', path)).status).toBe(200);
    const hue = await explain(await recordAbout('Hue'));
    expect(JSON.stringify(hue.sources)).not.toContain(told.hue);
    expect(hue.changes.map(({ kind }) => kind)).toContain('carried_over');
    expect(hue.runs.find(({ sessionId }) => sessionId === 'friday')?.rawAnswer ?? null).toBeNull();
  });

  it('is equal after a rebuild from the log', async () => {
    const before = await search({ includeSuperseded: true });
    await cliOutput(['rebuild', '--check'], stack.inspector.databaseUrl);
    await stack.inspector.rows('truncate record_sources, record_vectors, records');
    expect(await search()).toEqual([]);
    const output = await cliOutput(['rebuild'], stack.inspector.databaseUrl);
    expect(output).toContain('They are now.');
    expect(await search({ includeSuperseded: true })).toEqual(before);
  });
});
