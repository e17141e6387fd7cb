import { randomUUID } from 'node:crypto';
import type { QuestionScope, SessionScope } from '@turnkeeper/application';
import type { EventDataByType, EventType, MessageAppended, NewEvent } from '@turnkeeper/domain';
import { createTestDatabase, creation, newSession, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEventStore, migrateDatabase, type PgEventStore } from '../../index.js';

const fact = <T extends EventType>(type: T, data: EventDataByType[T]) =>
  ({ eventId: randomUUID(), type, schemaVersion: 1, occurredAt: null, data }) as unknown as NewEvent;
const says = (role: string, content: string, more: Partial<MessageAppended> = {}) =>
  fact('message.appended', { payloadType: 'CONVERSATIONAL', role, content, ...more });

describe('earlier answers', () => {
  let database: TestDatabase;
  let store: PgEventStore;
  let sql: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase(migrateDatabase);
    store = createEventStore({ databaseUrl: database.url });
    sql = new pg.Client(database.url);
    await sql.connect();
  });
  afterAll(async () => {
    await sql.end();
    await store.close();
    await database.drop();
  });

  const append = (scope: SessionScope, ...events: NewEvent[]) => store.append({ ...scope, events });
  const answer = async (scope: QuestionScope, question: string, prefer: 'newest' | 'oldest' = 'newest') =>
    (await store.questions.findAnswer(scope, question, prefer))?.data.content ?? null;
  const upToDate = async () => {
    while ((await store.turns.catchUp(1_000)) > 0);
  };

  /** Runs each test against indexed events and against events that are only in the log. */
  describe.each([
    ['taken in', upToDate],
    ['not taken in yet', async () => undefined],
  ])('%s', (_, settle) => {
    it('returns the directly following message', async () => {
      const scope = await newSession(store);
      await append(scope, says('user', 'Q'), says('assistant', 'A'), says('user', 'Q2'), says('assistant', 'A2'));
      await settle();
      expect(await answer(scope, 'Q')).toBe('A');
      expect(await answer(scope, 'Q2')).toBe('A2');
      expect(await answer(scope, 'q')).toBeNull();
      expect(await answer(scope, '')).toBeNull();
    });

    it('does not return the answer to a later question', async () => {
      const scope = await newSession(store);
      await append(scope, says('user', 'Q1'), says('user', 'Q2'), says('assistant', 'A2'));
      await settle();
      expect(await answer(scope, 'Q1')).toBeNull();
      expect(await answer(scope, 'Q2')).toBe('A2');
    });

    it('skips non-message events between question and answer, and empty answers', async () => {
      const scope = await newSession(store);
      const between = fact('agent.updated', { agentId: randomUUID(), params: {} });
      await append(scope, says('Human', 'Q'), between, says('AI', 'A'));
      await append(
        scope,
        says('user', 'T'),
        says('assistant', '', { toolCalls: [{ id: 'c' }] }),
        says('assistant', 'B'),
      );
      await settle();
      expect(await answer(scope, 'Q')).toBe('A');
      expect(await answer(scope, 'T')).toBeNull();
    });

    it('returns what was heard of the answer, and skips one of which nothing was', async () => {
      const scope = await newSession(store);
      const spoken = says('assistant', 'one two \ud800 three');
      const cut = (heard: string | null) => fact('message.interrupted', { messageEventId: spoken.eventId, heard });
      await append(scope, says('user', 'Q'), spoken);
      await settle();
      await append(scope, cut('one two'), cut(null));
      expect(await answer(scope, 'Q')).toBe('one two');
      await append(scope, cut(''));
      expect(await answer(scope, 'Q')).toBeNull();
    });

    it('indexes and finds text with a lone surrogate, or text that looks like one', async () => {
      const scope = await newSession(store);
      await append(scope, says('user', 'half \ud83d'), says('assistant', 'A \udc19'));
      await append(scope, says('user', 'in letters: \\ud83d'), says('assistant', 'B'));
      await settle();
      expect(await answer(scope, 'half \ud83d')).toBe('A \udc19');
      expect(await answer(scope, 'in letters: \\ud83d')).toBe('B');
      expect(await answer(scope, 'half \ud83e')).toBeNull();
      expect(await answer(scope, 'half \ufffd')).toBeNull();
    });

    it('prefers the newest answer by default and skips unanswered askings', async () => {
      const scope = await newSession(store);
      await append(scope, says('user', 'Q'), says('user', 'Q'), says('assistant', 'old'));
      await append(scope, says('user', 'Q'), says('assistant', 'new'), says('user', 'Q'), says('user', 'Q'));
      await settle();
      expect(await answer(scope, 'Q')).toBe('new');
      expect(await answer(scope, 'Q', 'oldest')).toBe('old');
    });

    it('finds an answer behind hundreds of unanswered askings', async () => {
      const scope = await newSession(store);
      const unanswered = () => append(scope, ...Array.from({ length: 180 }, () => says('user', 'Q')));
      await unanswered();
      await append(scope, says('user', 'Q'), says('assistant', 'A'));
      await unanswered();
      await settle();
      expect(await answer(scope, 'Q')).toBe('A');
      expect(await answer(scope, 'Q', 'oldest')).toBe('A');
    });

    it('searches the session, the actor’s sessions or the memory, never a wider scope', async () => {
      const scope = await newSession(store);
      const { tenantId, memoryId, actorId } = scope;
      const foreign = creation(tenantId);
      await store.append(foreign);
      await append(scope, says('user', 'Q'), says('assistant', 'here'));
      await append({ ...scope, sessionId: 'tuesday' }, says('user', 'Q'), says('assistant', 'another session'));
      await append({ ...scope, actorId: 'bob' }, says('user', 'Q'), says('assistant', 'another actor'));
      await append({ ...scope, memoryId: foreign.memoryId }, says('user', 'Q'), says('assistant', 'another memory'));
      await settle();
      expect(await answer(scope, 'Q')).toBe('here');
      expect(await answer({ tenantId, memoryId, actorId }, 'Q')).toBe('another session');
      expect(await answer({ tenantId, memoryId }, 'Q')).toBe('another actor');
      expect(await answer({ ...scope, sessionId: 'never' }, 'Q')).toBeNull();
      expect(await answer({ tenantId: randomUUID(), memoryId }, 'Q')).toBeNull();
    });

    it('finds the question of a session or actor however often others have asked it since', async () => {
      const scope = await newSession(store);
      const { tenantId, memoryId, actorId } = scope;
      await append(scope, says('user', 'Q'), says('assistant', 'mine'));
      for (let batch = 0; batch < 3; batch += 1) {
        const crowd = Array.from({ length: 600 }, () => says('user', 'Q'));
        await append({ ...scope, actorId: 'crowd' }, ...crowd);
      }
      await settle();
      expect(await answer(scope, 'Q')).toBe('mine');
      expect(await answer({ tenantId, memoryId, actorId }, 'Q')).toBe('mine');
    });

    it('does not find questions hidden by a session reset; an agent’s own reset hides nothing from others', async () => {
      const scope = await newSession(store);
      await append(scope, says('user', 'Q'), says('assistant', 'A'));
      await append(scope, fact('history.reset', { agentId: randomUUID(), reason: 'r' }));
      await settle();
      expect(await answer(scope, 'Q')).toBe('A');
      await append(scope, fact('history.reset', { agentId: null, reason: 'r' }));
      expect(await answer(scope, 'Q')).toBeNull();
      await append(scope, says('user', 'Q'), says('assistant', 'B'));
      await settle();
      expect(await answer(scope, 'Q')).toBe('B');
    });

    it.each([
      ['question', 1],
      ['answer', 2],
    ])('does not find a %s that has expired', async (_what, sequence) => {
      const scope = await newSession(store);
      await append(scope, says('user', 'Q'), says('assistant', 'A'));
      await settle();
      await sql.query(`begin; select set_config('turnkeeper.change', 'expiry', true);
        update events set expires_at = now() - interval '1 second' where memory_id = '${scope.memoryId}' and sequence = ${sequence};
        commit`);
      expect(await answer(scope, 'Q')).toBeNull();
    });

    it('forgets a deleted question and does not return a deleted answer', async () => {
      const scope = await newSession(store);
      await append(scope, says('user', 'Q'), says('assistant', 'old'), says('user', 'Q'), says('assistant', 'new'));
      await settle();
      const remove = (sequence: number) =>
        sql.query('delete from events where memory_id = $1 and sequence = $2', [scope.memoryId, sequence]);
      await remove(4);
      expect(await answer(scope, 'Q')).toBe('old');
      await remove(1);
      await settle();
      expect(await answer(scope, 'Q')).toBeNull();
      await remove(3);
    });
  });

  it('finds the newest and oldest answer of a memory, in its first and last segments and between', async () => {
    const scope = await newSession(store);
    const { tenantId, memoryId } = scope;
    const noise = async (actorId: string) => {
      for (let batch = 0; batch < 22; batch += 1) {
        await append({ ...scope, actorId }, ...Array.from({ length: 600 }, () => says('assistant', 'noise')));
      }
    };
    await append(scope, says('user', 'Q'), says('assistant', 'first'));
    await noise('crowd');
    await append({ ...scope, actorId: 'bob' }, says('user', 'Q'), says('assistant', 'second'));
    await append({ ...scope, actorId: 'bob' }, says('user', 'between'), says('assistant', 'found'));
    await noise('later crowd');
    await upToDate();
    const { rows } = await sql.query('select from turn_segments where memory_id = $1 and is_sealed', [memoryId]);
    expect(rows.length).toBeGreaterThan(400);
    expect(await answer({ tenantId, memoryId }, 'Q')).toBe('second');
    expect(await answer({ tenantId, memoryId }, 'Q', 'oldest')).toBe('first');
    for (const prefer of ['newest', 'oldest'] as const) {
      expect(await answer({ tenantId, memoryId }, 'between', prefer)).toBe('found');
    }
  });

  it('catches up on read after updates have stopped for a while', async () => {
    const scope = await newSession(store);
    await append(scope, says('user', 'long ago'), says('assistant', 'A'));
    for (let batch = 0; batch < 5; batch += 1) {
      await append(scope, ...Array.from({ length: 1_000 }, () => says('assistant', 'noise')));
    }
    expect(await answer(scope, 'long ago')).toBe('A');
  });

  it('erases an interruption together with the message it quotes', async () => {
    const scope = await newSession(store);
    const said = says('assistant', 'my secret plan');
    const other = says('assistant', 'hello');
    const cut = (messageEventId: string, heard: string) => fact('message.interrupted', { messageEventId, heard });
    await append(scope, said, other, cut(said.eventId, 'my secret'), cut(other.eventId, 'hel'));
    const [first] = await store.readSession(scope, { order: 'oldest-first', limit: 1 });
    await sql.query('select erase_event($1, $2, $3)', [scope.tenantId, first!.sessionKey, said.eventId]);
    const left = await store.readSession(scope, { order: 'oldest-first', limit: 9 });
    expect(left.map(({ sequence }) => sequence)).toEqual([2, 4]);
  });
});
