import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ExtractionWork, LEASE_SECONDS, MANY } from '../../testing/extraction-work.js';

describe('the schedule of extraction', () => {
  let work: ExtractionWork;
  beforeAll(async () => {
    work = await ExtractionWork.create();
  });
  afterAll(() => work?.close());
  beforeEach(() => work.empty());

  describe('new messages', () => {
    it('are due when the session goes quiet, and each message restarts the wait', async () => {
      const at = await work.setUp();
      await work.note({ sessionKey: at.sessionKey, newestSequence: 2 });
      expect(await work.row(at)).toMatchObject({ status: 'waiting', newest: 2, turns: 1, due: false, due_in: 60 });
      await work.passTime(50);
      await work.note({ sessionKey: at.sessionKey, newestSequence: 3, userTurns: 0 });
      expect(await work.row(at)).toMatchObject({ due_in: 60 });
      expect(await work.claim(at)).toBeNull();
      await work.passTime(61);
      expect(await work.claim(at)).toMatchObject({ watermark: 0, newestSequence: 3 });
    });

    it('are due immediately after enough user turns, counted across notes', async () => {
      const at = await work.setUp();
      await work.note({ sessionKey: at.sessionKey, newestSequence: 4, userTurns: 2 });
      expect(await work.row(at)).toMatchObject({ due: false, turns: 2 });
      await work.note({ sessionKey: at.sessionKey, newestSequence: 6, userTurns: 1 });
      expect(await work.row(at)).toMatchObject({ due: true, turns: 3 });
    });

    it('are due immediately when the agent stops', async () => {
      const at = await work.setUp();
      await work.note({ sessionKey: at.sessionKey, newestSequence: 2, flushThrough: 2 });
      expect(await work.row(at)).toMatchObject({ due: true });
    });

    it('stay due when more messages arrive', async () => {
      const at = await work.setUp();
      await work.note({ sessionKey: at.sessionKey });
      await work.passTime(61);
      await work.note({ sessionKey: at.sessionKey, newestSequence: 2 });
      expect(await work.row(at)).toMatchObject({ due: true, newest: 2 });
    });

    it('affect every automatic strategy of their memory, and no other', async () => {
      const at = await work.setUp({ strategies: [{}, { automatic: false }, {}] });
      await work.setUp();
      await work.note({ sessionKey: at.sessionKey });
      const noted = await work.database.rows<{ strategy_id: string }>('select strategy_id from extraction_states');
      expect(noted.map((state) => state.strategy_id).sort()).toEqual([at.strategyIds[0]!, at.strategyIds[2]!].sort());
    });

    it('are ignored for an erased session or a deleted memory', async () => {
      const [erased, deleted, kept] = [await work.setUp(), await work.setUp(), await work.setUp()];
      await work.database.rows('delete from sessions where session_key = $1', [erased.sessionKey]);
      await work.database.rows('update memory_gates set is_open = false where memory_id = $1', [deleted.memoryId]);
      await work.note(...[erased, deleted, kept].map(({ sessionKey }) => ({ sessionKey })));
      const noted = await work.database.rows<{ key: number }>('select session_key::int as key from extraction_states');
      expect(noted.map(({ key }) => key)).toEqual([kept.sessionKey]);
    });

    it('never move the newest sequence back', async () => {
      const at = await work.setUp();
      await work.note({ sessionKey: at.sessionKey, newestSequence: 9 });
      await work.note({ sessionKey: at.sessionKey, newestSequence: 5 });
      expect(await work.row(at)).toMatchObject({ newest: 9 });
    });
  });

  describe('a request', () => {
    it('makes a session due up to its newest event, even for a strategy that is not automatic', async () => {
      const at = await work.setUp({ strategies: [{ automatic: false }] });
      await work.database.say(at.session, 7);
      expect(await work.schedule.request(at.session, at.strategyId)).toBe(true);
      const held = await work.claim(at);
      expect(held).toMatchObject({ newestSequence: 7, watermark: 0 });
      await work.complete(held!, 5);
      expect(await work.row(at)).toMatchObject({ due: true }); // the rest of the request
    });

    it("is rejected for a session without events, another tenant's session, or a strategy of another memory", async () => {
      const [at, other] = [await work.setUp(), await work.setUp()];
      expect(await work.schedule.request(at.session, at.strategyId)).toBe(false);
      await work.database.say(at.session, 1);
      expect(await work.schedule.request({ ...at.session, tenantId: other.tenantId }, at.strategyId)).toBe(false);
      expect(await work.schedule.request({ ...at.session, sessionId: 'Thread' }, at.strategyId)).toBe(false);
      expect(await work.schedule.request(at.session, other.strategyId)).toBe(false);
    });

    it('does not take a session away from its holder', async () => {
      const at = await work.setUp();
      await work.database.say(at.session, 2);
      await work.schedule.request(at.session, at.strategyId);
      const held = await work.claim(at);
      await work.schedule.request(at.session, at.strategyId);
      expect(await work.claim(at)).toBeNull();
      await work.complete(held!, 2);
    });
  });

  describe('admission to the queue', () => {
    const busy = async (sessions: number, tenantId?: string) => {
      const memory = await work.database.memory(tenantId === undefined ? {} : { tenantId });
      const keys: number[] = [];
      for (let index = 0; index < sessions; index += 1) {
        keys.push((await work.database.session(memory, `thread ${index}`)).sessionKey);
      }
      for (const sessionKey of keys) await work.note({ sessionKey, flushThrough: 1 });
      return { ...memory, keys };
    };
    const admitted = async (perTenant: number) => {
      await work.claims.settleLost(9);
      return (await work.schedule.admit(perTenant)).map(({ sessionKey }) => sessionKey);
    };

    it('gives each tenant its share, oldest first', async () => {
      const [large, small] = [await busy(6), await busy(2)];
      expect((await admitted(3)).sort()).toEqual([...large.keys.slice(0, 3), ...small.keys].sort());
      expect(await admitted(3)).toEqual([]);
    });

    it('admits the next session when one is done', async () => {
      const { keys, strategyIds } = await busy(3);
      await admitted(2);
      const held = await work.claim({ sessionKey: keys[0]!, strategyId: strategyIds[0]! });
      expect(await admitted(2)).toEqual([]);
      await work.complete(held!, 1);
      expect(await admitted(2)).toEqual([keys[2]]);
    });

    it('admits unclaimed work again after a while: the queue may have lost it', async () => {
      const { keys } = await busy(2);
      await admitted(MANY);
      await work.passTime(4);
      expect(await admitted(MANY)).toEqual([]);
      await work.passTime(2);
      expect((await admitted(MANY)).sort()).toEqual(keys);
    });

    it('readmits the work of a dead process when its lease expires', async () => {
      const { keys, strategyIds } = await busy(1);
      await admitted(MANY);
      await work.claim({ sessionKey: keys[0]!, strategyId: strategyIds[0]! });
      await work.passTime(LEASE_SECONDS - 1);
      expect(await admitted(MANY)).toEqual([]);
      await work.passTime(2);
      expect(await admitted(MANY)).toEqual(keys);
    });

    it('admits nothing twice under concurrent calls', async () => {
      const { keys } = await busy(20);
      const answers = await Promise.all(Array.from({ length: 5 }, () => admitted(MANY)));
      expect(answers.flat().sort((a, b) => a - b)).toEqual(keys);
    });
  });

  it('lists the progress of every strategy of a memory, in order', async () => {
    const at = await work.setUp({ strategies: [{}, {}, { automatic: false }] });
    const second = await work.database.session(at, 'another');
    await work.note({ sessionKey: at.sessionKey, flushThrough: 1 }, { sessionKey: second.sessionKey, flushThrough: 1 });
    await work.complete((await work.claim(at))!, 1, { recordsMade: 5 });
    const nothing = {
      pendingSessions: 0,
      waitingForBudget: 0,
      parkedSessions: 0,
      records: 0,
      modelCalls: 0,
      inputTokens: 0,
      outputTokens: 0,
    };
    expect(await work.states.progress(at.tenantId, at.memoryId)).toEqual([
      { ...nothing, strategyId: at.strategyIds[0], pendingSessions: 1, records: 5 },
      { ...nothing, strategyId: at.strategyIds[1], pendingSessions: 2 },
      { ...nothing, strategyId: at.strategyIds[2] },
    ]);
    expect(await work.states.progress('00000000-0000-4000-8000-000000000000', at.memoryId)).toEqual([]);
  });
});
