import { eventually } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Appended, Problem } from './harness/answers.js';
import { eventsPath, turn, type Api, type Session } from './harness/api.js';
import { cliOutput } from './harness/child-process.js';
import { Stack } from './harness/stack.js';

const SESSIONS = 16;
const CLIENTS = 32;
const REQUESTS = 1_000;
/** Every second request is a batch of this size: 10,000 events in all. */
const BATCH = 19;

describe('two ingest processes that append to the same sessions concurrently', () => {
  let stack: Stack;
  let apis: Api[];
  let memoryId: string;

  beforeAll(async () => {
    stack = await Stack.start({ ingests: 2, worker: false });
    apis = stack.ingests.map((ingest) => stack.apiOf(ingest));
    memoryId = (await stack.api.createMemory({})).id;
  });
  afterAll(() => stack?.stop());

  const sessionOf = (index: number): Session => ({ memoryId, actorId: 'ada', sessionId: `thread ${index % SESSIONS}` });

  const audit = async (): Promise<unknown> =>
    JSON.parse(await cliOutput(['log', 'audit', '--json'], stack.inspector.databaseUrl)) as unknown;

  it('assign dense positions and 1..n in every session, as returned and as stored', async () => {
    const answered = new Map<string, Appended[]>();
    const send = async (index: number): Promise<void> => {
      const session = sessionOf(Math.floor(index / 4));
      const api = apis[index % 2]!;
      const events = Array.from({ length: index % 4 < 2 ? 1 : BATCH }, (_, nth) => turn('user', `${index}/${nth}`));
      const appended =
        events.length === 1 ? [await api.append(session, events[0])] : await api.appendBatch(session, events);
      answered.set(session.sessionId, [...(answered.get(session.sessionId) ?? []), ...appended]);
    };
    await inParallel(CLIENTS, REQUESTS, send);

    const all = [...answered.values()].flat();
    expect(all).toHaveLength((REQUESTS / 2) * (BATCH + 1));
    // Position 1 is the memory itself.
    expect(ascending(all.map(({ position }) => position))).toEqual(numbers(2, all.length + 1));
    for (const appended of answered.values()) {
      expect(ascending(appended.map(({ sequence }) => sequence))).toEqual(numbers(1, appended.length));
      const bySequence = [...appended].sort((a, b) => a.sequence - b.sequence);
      expect(ascending(bySequence.map(({ position }) => position))).toEqual(bySequence.map(({ position }) => position));
    }
    expect(await audit()).toMatchObject({
      head: all.length + 1,
      events: all.length + 1,
      sessions: SESSIONS,
      findings: [],
    });
    // Unnoticed deadlocks would show here: Postgres counts those it had to break.
    expect(
      await stack.inspector.number('select deadlocks from pg_stat_database where datname = current_database()'),
    ).toBe(0);
  });

  it('store one copy of an append sent to both, with the same response', async () => {
    const session = { ...sessionOf(0), sessionId: 'copies' };
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        apis[index % 2]!.append(session, turn('user', `message ${index >> 1}`), {
          'idempotency-key': `message-${index >> 1}`,
        }),
      ),
    );
    for (let index = 0; index < answers.length; index += 2) expect(answers[index]).toEqual(answers[index + 1]);
    expect(await stack.api.history(session)).toHaveLength(50);
  });

  it('let exactly one of two with the same expected sequence succeed', async () => {
    const session = { ...sessionOf(0), sessionId: 'contested' };
    for (let expectedSequence = 0; expectedSequence < 20; expectedSequence += 1) {
      const answers = await Promise.all(
        apis.map((api, index) =>
          api.request<Problem>('POST', eventsPath(session), {
            body: turn('user', `from ${index}`, { expectedSequence }),
          }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const loser = answers.find(({ status }) => status === 409);
      expect(loser?.body).toMatchObject({ currentSequence: expectedSequence + 1 });
    }
  });

  it('cause no gaps or duplicates while the database drops every connection', async () => {
    const session = { ...sessionOf(0), sessionId: 'through thick and thin' };
    const count = 300;
    let done = 0;
    const insist = async (index: number): Promise<void> => {
      const headers = { 'idempotency-key': `message-${index}` };
      for (let attempt = 0; ; attempt += 1) {
        const api = apis[(index + attempt) % 2]!;
        const answer = await api.request('POST', eventsPath(session), {
          body: turn('user', `message ${index}`),
          headers,
        });
        if (answer.status === 200) break;
        expect(answer.status).toBeGreaterThanOrEqual(500);
      }
      done += 1;
    };
    const sending = inParallel(CLIENTS, count, insist);
    for (const share of [0.1, 0.3, 0.5, 0.7]) {
      await eventually(() => done >= share * count, { withinMs: 30_000 });
      await stack.inspector.rows(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name <> 'e2e-inspector'`,
      );
    }
    await sending;
    const texts = (await stack.api.history(session)).map(({ payload }) => payload.message);
    expect(texts.sort()).toEqual(Array.from({ length: count }, (_, index) => `message ${index}`).sort());
    expect(await audit()).toMatchObject({ findings: [] });
  });

  it('return from either what the other has stored', async () => {
    const session = { ...sessionOf(0), sessionId: 'seen by both' };
    for (let index = 0; index < 20; index += 1) {
      const { eventId } = await apis[index % 2]!.append(session, turn('user', `message ${index}`));
      const seen = await apis[(index + 1) % 2]!.history(session);
      expect(seen.at(-1)?.id).toBe(eventId);
    }
  });
});

/** Runs `count` tasks, this many concurrently. */
const inParallel = async (clients: number, count: number, work: (index: number) => Promise<void>): Promise<void> => {
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: clients }, client));
};

const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
