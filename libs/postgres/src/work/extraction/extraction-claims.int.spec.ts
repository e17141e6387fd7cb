import { LeaseLost, type ExtractionClaim, type SessionProgress, type SettledWindow } from '@turnkeeper/application';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ReadModelDatabase } from '../../testing/read-model-database.js';
import { PgExtractionClaims } from './extraction-claims.js';
import { PgExtractionSchedule } from './extraction-schedule.js';
import { PgExtractionStates } from './extraction-states.js';

const TIMING = { turnInterval: 3, quietSeconds: 60 };
const LEASE_SECONDS = 30;
const MANY = 1_000;

describe('extraction states', () => {
  let database: ReadModelDatabase;
  let claims: PgExtractionClaims;
  let schedule: PgExtractionSchedule;
  let states: PgExtractionStates;
  beforeAll(async () => {
    database = await ReadModelDatabase.create();
    claims = new PgExtractionClaims(database.dataSource);
    schedule = new PgExtractionSchedule(database.dataSource);
    states = new PgExtractionStates(database.dataSource);
  });
  afterAll(() => database?.close());
  beforeEach(() => database.rows('truncate extraction_states, sessions, memories, strategies cascade'));

  const setUp = async (options: Parameters<ReadModelDatabase['memory']>[0] = {}) => {
    const memory = await database.memory(options);
    const session = await database.session(memory);
    return { ...memory, session, sessionKey: session.sessionKey, strategyId: memory.strategyIds[0]! };
  };
  const note = (...sessions: readonly (Partial<SessionProgress> & { sessionKey: number })[]) =>
    database.unitOfWork.run((tx) =>
      schedule.note(
        tx,
        sessions.map((session) => ({ newestSequence: 1, userTurns: 1, flushThrough: null, ...session })),
        TIMING,
      ),
    );
  const claim = (at: { sessionKey: number; strategyId: string }) =>
    claims.claim(at.sessionKey, at.strategyId, LEASE_SECONDS);
  const complete = (
    held: ExtractionClaim,
    toSequence: number,
    { userTurns = 0, recordsMade = 0, ...rest }: Partial<SettledWindow> = {},
  ) =>
    database.unitOfWork.run((tx) => claims.complete(tx, held, { toSequence, userTurns, recordsMade, ...rest }, TIMING));
  const row = async ({ sessionKey }: { sessionKey: number }) => {
    const [state] = await database.rows<Record<string, unknown>>(
      `select watermark::int, newest_sequence::int as newest, pending_turns as turns, status, attempts, fence::int,
              due_at <= now() as due, round(extract(epoch from due_at - now()))::int as due_in, last_code
         from extraction_states where session_key = $1`,
      [sessionKey],
    );
    return state;
  };
  /** Shifts stored times, so that tests need not wait for the clock. */
  const passTime = (seconds: number) =>
    database.rows(
      `update extraction_states set due_at = due_at - make_interval(secs => $1),
         lease_until = lease_until - make_interval(secs => $1), admitted_until = admitted_until - make_interval(secs => $1)`,
      [seconds],
    );

  describe('new messages', () => {
    it('are due when the session goes quiet, and each message restarts the wait', async () => {
      const at = await setUp();
      await note({ sessionKey: at.sessionKey, newestSequence: 2 });
      expect(await row(at)).toMatchObject({ status: 'waiting', newest: 2, turns: 1, due: false, due_in: 60 });
      await passTime(50);
      await note({ sessionKey: at.sessionKey, newestSequence: 3, userTurns: 0 });
      expect(await row(at)).toMatchObject({ due_in: 60 });
      expect(await claim(at)).toBeNull();
      await passTime(61);
      expect(await claim(at)).toMatchObject({ watermark: 0, newestSequence: 3 });
    });

    it('are due immediately after enough user turns, counted across notes', async () => {
      const at = await setUp();
      await note({ sessionKey: at.sessionKey, newestSequence: 4, userTurns: 2 });
      expect(await row(at)).toMatchObject({ due: false, turns: 2 });
      await note({ sessionKey: at.sessionKey, newestSequence: 6, userTurns: 1 });
      expect(await row(at)).toMatchObject({ due: true, turns: 3 });
    });

    it('are due immediately when the agent stops', async () => {
      const at = await setUp();
      await note({ sessionKey: at.sessionKey, newestSequence: 2, flushThrough: 2 });
      expect(await row(at)).toMatchObject({ due: true });
    });

    it('stay due when more messages arrive', async () => {
      const at = await setUp();
      await note({ sessionKey: at.sessionKey });
      await passTime(61);
      await note({ sessionKey: at.sessionKey, newestSequence: 2 });
      expect(await row(at)).toMatchObject({ due: true, newest: 2 });
    });

    it('affect every automatic strategy of their memory, and no other', async () => {
      const at = await setUp({ strategies: [{}, { automatic: false }, {}] });
      await setUp();
      await note({ sessionKey: at.sessionKey });
      const noted = await database.rows<{ strategy_id: string }>('select strategy_id from extraction_states');
      expect(noted.map((state) => state.strategy_id).sort()).toEqual([at.strategyIds[0]!, at.strategyIds[2]!].sort());
    });

    it('are ignored for an erased session or a deleted memory', async () => {
      const [erased, deleted, kept] = [await setUp(), await setUp(), await setUp()];
      await database.rows('delete from sessions where session_key = $1', [erased.sessionKey]);
      await database.rows('update memory_gates set is_open = false where memory_id = $1', [deleted.memoryId]);
      await note(...[erased, deleted, kept].map(({ sessionKey }) => ({ sessionKey })));
      const states = await database.rows<{ key: number }>('select session_key::int as key from extraction_states');
      expect(states.map(({ key }) => key)).toEqual([kept.sessionKey]);
    });

    it('never move the newest sequence back', async () => {
      const at = await setUp();
      await note({ sessionKey: at.sessionKey, newestSequence: 9 });
      await note({ sessionKey: at.sessionKey, newestSequence: 5 });
      expect(await row(at)).toMatchObject({ newest: 9 });
    });
  });

  describe('a claim', () => {
    const due = async () => {
      const at = await setUp();
      await note({ sessionKey: at.sessionKey, newestSequence: 4, flushThrough: 4, userTurns: 2 });
      return at;
    };

    it('is given to one of several workers', async () => {
      const at = await due();
      const claims = await Promise.all(Array.from({ length: 10 }, () => claim(at)));
      expect(claims.filter((held) => held !== null)).toEqual([
        {
          sessionKey: at.sessionKey,
          strategyId: at.strategyId,
          tenantId: at.tenantId,
          memoryId: at.memoryId,
          actorId: 'ada',
          sessionId: 'thread',
          watermark: 0,
          newestSequence: 4,
          replayThrough: null,
          attempt: 1,
          outageTry: 1,
          fence: 1,
        },
      ]);
    });

    it('passes on when its lease expires, and the late holder can write nothing', async () => {
      const at = await due();
      const late = await claim(at);
      await passTime(LEASE_SECONDS - 1);
      expect(await claims.settleLost(9)).toEqual([]);
      expect(await claim(at)).toBeNull();
      await passTime(2);
      expect(await claims.settleLost(9)).toEqual([
        { sessionKey: at.sessionKey, strategyId: at.strategyId, tenantId: at.tenantId, attempts: 1, parked: false },
      ]);
      const next = await claim(at);
      expect(next).toMatchObject({ attempt: 2, fence: 2 });

      await expect(complete(late!, 4)).rejects.toBeInstanceOf(LeaseLost);
      await claims.fail(late!, { code: 'model.timeout', retryInMs: null, keepAnswer: false, outage: false });
      expect(await row(at)).toMatchObject({ watermark: 0, status: 'waiting', last_code: 'extraction.worker_lost' });
      await complete(next!, 4);
      expect(await row(at)).toMatchObject({ watermark: 4, status: 'idle' });
      await expect(complete(late!, 2)).rejects.toBeInstanceOf(LeaseLost);
      expect(await row(at)).toMatchObject({ watermark: 4 });
    });

    it('is renewed with others in one call while held, and not after it was lost', async () => {
      const [at, other] = [await due(), await due()];
      const [kept, lost] = [(await claim(at))!, (await claim(other))!];
      await passTime(LEASE_SECONDS - 1);
      await database.rows('update extraction_states set fence = fence + 1 where session_key = $1', [other.sessionKey]);
      expect(await claims.renew([kept, lost], LEASE_SECONDS)).toEqual([kept]);
      await passTime(LEASE_SECONDS - 1);
      expect(await claims.settleLost(9)).toMatchObject([{ sessionKey: other.sessionKey }]);
      expect(await claims.renew([lost], LEASE_SECONDS)).toEqual([]);
      await complete(kept, 4);
      expect(await claims.renew([kept], LEASE_SECONDS)).toEqual([]);
    });

    it('is renewed although an open erasure locks another of the same process, which counts as held', async () => {
      const [at, erased] = [await due(), await due()];
      const [kept, locked] = [(await claim(at))!, (await claim(erased))!];
      await passTime(LEASE_SECONDS - 1);
      await database.dataSource.transaction(async (erasure) => {
        await erasure.query('delete from extraction_states where session_key = $1', [erased.sessionKey]);
        expect(await claims.renew([locked, kept], LEASE_SECONDS)).toEqual(expect.arrayContaining([kept, locked]));
      });
      await passTime(LEASE_SECONDS - 1);
      expect(await claims.settleLost(9)).toEqual([]);
      expect(await claims.renew([locked, kept], LEASE_SECONDS)).toEqual([kept]);
    });

    it('ends with its memory', async () => {
      const at = await due();
      const held = (await claim(at))!;
      await database.rows('update memory_gates set is_open = false where memory_id = $1', [at.memoryId]);
      expect(await claims.renew([held], LEASE_SECONDS)).toEqual([]);
      await claims.release(held);
      expect(await claim(at)).toBeNull();
    });

    it('does not count as an attempt if it was released', async () => {
      const at = await due();
      await claims.release((await claim(at))!);
      expect(await claim(at)).toMatchObject({ attempt: 1 });
    });

    it('of a lost worker is settled by one process, with a backoff that grows with each loss', async () => {
      const at = await due();
      const waits: number[] = [];
      for (let loss = 1; loss <= 8; loss += 1) {
        await claim(at);
        await passTime(LEASE_SECONDS + 1);
        const settled = await Promise.all(Array.from({ length: 5 }, () => claims.settleLost(9)));
        expect(settled.flat()).toHaveLength(1);
        waits.push((await row(at))!['due_in'] as number);
        await passTime(600);
      }
      expect(waits[0]).toBe(0);
      expect(Math.max(...waits)).toBeGreaterThan(1);
      expect(Math.max(...waits)).toBeLessThan(128);
    });

    it('does not move the watermark in a failed transaction', async () => {
      const at = await due();
      const held = await claim(at);
      const failing = database.unitOfWork.run(async (tx) => {
        await claims.complete(tx, held!, { toSequence: 4, userTurns: 2, recordsMade: 1 }, TIMING);
        throw new Error('the log said no');
      });
      await expect(failing).rejects.toThrow('the log said no');
      expect(await row(at)).toMatchObject({ watermark: 0, status: 'waiting' });
      await complete(held!, 4); // the lease is still held
    });

    it('leaves a session without remaining work idle, so that it cannot be claimed', async () => {
      const at = await due();
      await complete((await claim(at))!, 4, { userTurns: 2 });
      expect(await row(at)).toMatchObject({ status: 'idle', due: null, turns: 0, attempts: 0 });
      await passTime(10_000);
      expect(await claim(at)).toBeNull();
    });

    it('leaves the rest due for its own reason', async () => {
      const at = await due();
      const held = await claim(at);
      await note({ sessionKey: at.sessionKey, newestSequence: 5, userTurns: 1 });
      await complete(held!, 4, { userTurns: 2 });
      expect(await row(at)).toMatchObject({ watermark: 4, status: 'waiting', turns: 1, due_in: 60 });

      await note({ sessionKey: at.sessionKey, newestSequence: 9, userTurns: 2 });
      await complete((await claim(at))!, 6, { userTurns: 0 }); // a window that did not reach the end
      expect(await row(at)).toMatchObject({ watermark: 6, due: true, turns: 3 });
    });

    it('reads a backlog without user turns window by window, after one quiet period', async () => {
      const at = await setUp();
      await note({ sessionKey: at.sessionKey, newestSequence: 463, userTurns: 0 });
      expect(await row(at)).toMatchObject({ due: false, due_in: 60 });
      await passTime(61);
      for (let through = 50; through < 463; through += 50) {
        expect(await complete((await claim(at))!, through)).toEqual({ isDue: true });
      }
      const last = await claim(at);
      // What arrives after the claim waits for its own quiet period.
      await note({ sessionKey: at.sessionKey, newestSequence: 464, userTurns: 0 });
      expect(await complete(last!, 463)).toEqual({ isDue: false });
      expect(await row(at)).toMatchObject({ watermark: 463, status: 'waiting', due: false, due_in: 60 });
    });

    it('adds what was skipped to the status of the session, by reason', async () => {
      const at = await due();
      const skipped = async () => (await states.sessionStates(at.session))[0]?.skipped;
      expect(await skipped()).toEqual({});
      await complete((await claim(at))!, 1, { skipped: { language: 2, prompt: 1 } });
      await complete((await claim(at))!, 2);
      await complete((await claim(at))!, 4, { skipped: { prompt: 1, secret: 3 } });
      expect(await skipped()).toEqual({ language: 2, prompt: 2, secret: 3 });
    });

    it('waits after a window that read nothing', async () => {
      const at = await setUp();
      await note({ sessionKey: at.sessionKey, newestSequence: 9, userTurns: 0 });
      await passTime(61);
      expect(await complete((await claim(at))!, 0)).toEqual({ isDue: false });
    });

    it('continues to where the agent stopped, window by window', async () => {
      const at = await setUp();
      await note({ sessionKey: at.sessionKey, newestSequence: 8, flushThrough: 8, userTurns: 0 });
      await complete((await claim(at))!, 5);
      expect(await row(at)).toMatchObject({ due: true });
      const held = await claim(at);
      await note({ sessionKey: at.sessionKey, newestSequence: 9, userTurns: 0 });
      await complete(held!, 8);
      expect(await row(at)).toMatchObject({ due: false, due_in: 60, status: 'waiting' });
    });
  });

  describe('a failure', () => {
    const failed = async (retryInMs: number | null) => {
      const at = await setUp();
      await note({ sessionKey: at.sessionKey, flushThrough: 1 });
      await claims.fail((await claim(at))!, { code: 'model.timeout', retryInMs, keepAnswer: false, outage: false });
      return at;
    };

    it('waits for its backoff whatever messages arrive, and counts the attempts', async () => {
      const at = await failed(20_000);
      expect(await row(at)).toMatchObject({
        status: 'waiting',
        due_in: 20,
        last_code: 'model.timeout',
      });
      await note({ sessionKey: at.sessionKey, newestSequence: 2, flushThrough: 2, userTurns: 9 });
      expect(await row(at)).toMatchObject({ due: false, due_in: 20, newest: 2 });
      await passTime(20);
      const again = await claim(at);
      expect(again).toMatchObject({ attempt: 2 });
      await complete(again!, 2);
      expect(await row(at)).toMatchObject({ last_code: null, attempts: 0 });
    });

    it('caused by an outage counts separately, and only while consecutive', async () => {
      const at = await setUp();
      await note({ sessionKey: at.sessionKey, flushThrough: 1 });
      const failNow = async (outage: boolean) => {
        const held = await claim(at);
        await claims.fail(held!, { code: 'model.any', retryInMs: 0, keepAnswer: false, outage });
        return { attempt: held!.attempt, outageTry: held!.outageTry };
      };
      const tries = [];
      for (const outage of [true, true, false, true, false]) tries.push(await failNow(outage));
      expect(tries).toEqual([
        { attempt: 1, outageTry: 1 },
        { attempt: 1, outageTry: 2 },
        { attempt: 1, outageTry: 3 },
        { attempt: 2, outageTry: 1 },
        { attempt: 2, outageTry: 2 },
      ]);
      await complete((await claim(at))!, 1);
      await note({ sessionKey: at.sessionKey, newestSequence: 2, flushThrough: 2 });
      expect(await claim(at)).toMatchObject({ attempt: 1, outageTry: 1 });
    });

    it('stays parked until requested', async () => {
      const at = await failed(null);
      expect(await row(at)).toMatchObject({ status: 'parked', due: null });
      await note({ sessionKey: at.sessionKey, newestSequence: 2, flushThrough: 2 });
      await passTime(100_000);
      expect(await claim(at)).toBeNull();
      expect(await schedule.admit(MANY)).toEqual([]);
      expect(await states.progress(at.tenantId, at.memoryId)).toMatchObject([
        { pendingSessions: 0, parkedSessions: 1 },
      ]);

      await database.say(at.session, 2);
      expect(await schedule.request(at.session, at.strategyId)).toBe(true);
      expect(await claim(at)).toMatchObject({ attempt: 1, newestSequence: 2, watermark: 0 });
    });
  });

  describe('a request', () => {
    it('makes a session due up to its newest event, even for a strategy that is not automatic', async () => {
      const at = await setUp({ strategies: [{ automatic: false }] });
      await database.say(at.session, 7);
      expect(await schedule.request(at.session, at.strategyId)).toBe(true);
      const held = await claim(at);
      expect(held).toMatchObject({ newestSequence: 7, watermark: 0 });
      await complete(held!, 5);
      expect(await row(at)).toMatchObject({ due: true }); // the rest of the request
    });

    it("is rejected for a session without events, another tenant's session, or a strategy of another memory", async () => {
      const [at, other] = [await setUp(), await setUp()];
      expect(await schedule.request(at.session, at.strategyId)).toBe(false);
      await database.say(at.session, 1);
      expect(await schedule.request({ ...at.session, tenantId: other.tenantId }, at.strategyId)).toBe(false);
      expect(await schedule.request({ ...at.session, sessionId: 'Thread' }, at.strategyId)).toBe(false);
      expect(await schedule.request(at.session, other.strategyId)).toBe(false);
    });

    it('does not take a session away from its holder', async () => {
      const at = await setUp();
      await database.say(at.session, 2);
      await schedule.request(at.session, at.strategyId);
      const held = await claim(at);
      await schedule.request(at.session, at.strategyId);
      expect(await claim(at)).toBeNull();
      await complete(held!, 2);
    });
  });

  describe('admission to the queue', () => {
    const busy = async (sessions: number, tenantId?: string) => {
      const memory = await database.memory(tenantId === undefined ? {} : { tenantId });
      const keys: number[] = [];
      for (let index = 0; index < sessions; index += 1) {
        keys.push((await database.session(memory, `thread ${index}`)).sessionKey);
      }
      for (const sessionKey of keys) await note({ sessionKey, flushThrough: 1 });
      return { ...memory, keys };
    };
    const admitted = async (perTenant: number) => {
      await claims.settleLost(9);
      return (await schedule.admit(perTenant)).map(({ sessionKey }) => sessionKey);
    };

    it('gives each tenant its share, oldest first', async () => {
      const [large, small] = [await busy(6), await busy(2)];
      expect((await admitted(3)).sort()).toEqual([...large.keys.slice(0, 3), ...small.keys].sort());
      expect(await admitted(3)).toEqual([]);
    });

    it('admits the next session when one is done', async () => {
      const { keys, strategyIds } = await busy(3);
      await admitted(2);
      const held = await claim({ sessionKey: keys[0]!, strategyId: strategyIds[0]! });
      expect(await admitted(2)).toEqual([]);
      await complete(held!, 1);
      expect(await admitted(2)).toEqual([keys[2]]);
    });

    it('admits unclaimed work again after a while: the queue may have lost it', async () => {
      const { keys } = await busy(2);
      await admitted(MANY);
      await passTime(4);
      expect(await admitted(MANY)).toEqual([]);
      await passTime(2);
      expect((await admitted(MANY)).sort()).toEqual(keys);
    });

    it('readmits the work of a dead process when its lease expires', async () => {
      const { keys, strategyIds } = await busy(1);
      await admitted(MANY);
      await claim({ sessionKey: keys[0]!, strategyId: strategyIds[0]! });
      await passTime(LEASE_SECONDS - 1);
      expect(await admitted(MANY)).toEqual([]);
      await passTime(2);
      expect(await admitted(MANY)).toEqual(keys);
    });

    it('admits nothing twice under concurrent calls', async () => {
      const { keys } = await busy(20);
      const answers = await Promise.all(Array.from({ length: 5 }, () => admitted(MANY)));
      expect(answers.flat().sort((a, b) => a - b)).toEqual(keys);
    });
  });

  it('lists the progress of every strategy of a memory, in order', async () => {
    const at = await setUp({ strategies: [{}, {}, { automatic: false }] });
    const second = await database.session(at, 'another');
    await note({ sessionKey: at.sessionKey, flushThrough: 1 }, { sessionKey: second.sessionKey, flushThrough: 1 });
    await complete((await claim(at))!, 1, { recordsMade: 5 });
    const nothing = {
      pendingSessions: 0,
      waitingForBudget: 0,
      parkedSessions: 0,
      records: 0,
      modelCalls: 0,
      inputTokens: 0,
      outputTokens: 0,
    };
    expect(await states.progress(at.tenantId, at.memoryId)).toEqual([
      { ...nothing, strategyId: at.strategyIds[0], pendingSessions: 1, records: 5 },
      { ...nothing, strategyId: at.strategyIds[1], pendingSessions: 2 },
      { ...nothing, strategyId: at.strategyIds[2] },
    ]);
    expect(await states.progress('00000000-0000-4000-8000-000000000000', at.memoryId)).toEqual([]);
  });
});
