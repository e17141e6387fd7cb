import { LeaseLost } from '@turnkeeper/application';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ExtractionWork, LEASE_SECONDS, MANY } from '../../testing/extraction-work.js';

describe('claims on extraction', () => {
  let work: ExtractionWork;
  beforeAll(async () => {
    work = await ExtractionWork.create();
  });
  afterAll(() => work?.close());
  beforeEach(() => work.empty());

  describe('a claim', () => {
    const due = async () => {
      const at = await work.setUp();
      await work.note({ sessionKey: at.sessionKey, newestSequence: 4, flushThrough: 4, userTurns: 2 });
      return at;
    };

    it('is given to one of several workers', async () => {
      const at = await due();
      const held = await Promise.all(Array.from({ length: 10 }, () => work.claim(at)));
      expect(held.filter((one) => one !== null)).toEqual([
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
          lastCode: null,
          outageTry: 1,
          fence: 1,
        },
      ]);
    });

    it('passes on when its lease expires, and the late holder can write nothing', async () => {
      const at = await due();
      const late = await work.claim(at);
      await work.passTime(LEASE_SECONDS - 1);
      expect(await work.claims.settleLost(9)).toEqual([]);
      expect(await work.claim(at)).toBeNull();
      await work.passTime(2);
      expect(await work.claims.settleLost(9)).toEqual([
        { sessionKey: at.sessionKey, strategyId: at.strategyId, tenantId: at.tenantId, attempts: 1, parked: false },
      ]);
      const next = await work.claim(at);
      expect(next).toMatchObject({ attempt: 2, fence: 2 });

      await expect(work.complete(late!, 4)).rejects.toBeInstanceOf(LeaseLost);
      await work.claims.fail(late!, { code: 'model.timeout', retryInMs: null, keepAnswer: false, outage: false });
      expect(await work.row(at)).toMatchObject({
        watermark: 0,
        status: 'waiting',
        last_code: 'extraction.worker_lost',
      });
      await work.complete(next!, 4);
      expect(await work.row(at)).toMatchObject({ watermark: 4, status: 'idle' });
      await expect(work.complete(late!, 2)).rejects.toBeInstanceOf(LeaseLost);
      expect(await work.row(at)).toMatchObject({ watermark: 4 });
    });

    it('is renewed with others in one call while held, and not after it was lost', async () => {
      const [at, other] = [await due(), await due()];
      const [kept, lost] = [(await work.claim(at))!, (await work.claim(other))!];
      await work.passTime(LEASE_SECONDS - 1);
      await work.database.rows('update extraction_states set fence = fence + 1 where session_key = $1', [
        other.sessionKey,
      ]);
      expect(await work.claims.renew([kept, lost], LEASE_SECONDS)).toEqual([kept]);
      await work.passTime(LEASE_SECONDS - 1);
      expect(await work.claims.settleLost(9)).toMatchObject([{ sessionKey: other.sessionKey }]);
      expect(await work.claims.renew([lost], LEASE_SECONDS)).toEqual([]);
      await work.complete(kept, 4);
      expect(await work.claims.renew([kept], LEASE_SECONDS)).toEqual([]);
    });

    it('is renewed although an open erasure locks another of the same process, which counts as held', async () => {
      const [at, erased] = [await due(), await due()];
      const [kept, locked] = [(await work.claim(at))!, (await work.claim(erased))!];
      await work.passTime(LEASE_SECONDS - 1);
      await work.database.dataSource.transaction(async (erasure) => {
        await erasure.query('delete from extraction_states where session_key = $1', [erased.sessionKey]);
        expect(await work.claims.renew([locked, kept], LEASE_SECONDS)).toEqual(expect.arrayContaining([kept, locked]));
      });
      await work.passTime(LEASE_SECONDS - 1);
      expect(await work.claims.settleLost(9)).toEqual([]);
      expect(await work.claims.renew([locked, kept], LEASE_SECONDS)).toEqual([kept]);
    });

    it('ends with its memory', async () => {
      const at = await due();
      const held = (await work.claim(at))!;
      await work.database.rows('update memory_gates set is_open = false where memory_id = $1', [at.memoryId]);
      expect(await work.claims.renew([held], LEASE_SECONDS)).toEqual([]);
      await work.claims.release(held);
      expect(await work.claim(at)).toBeNull();
    });

    it('does not count as an attempt if it was released', async () => {
      const at = await due();
      await work.claims.release((await work.claim(at))!);
      expect(await work.claim(at)).toMatchObject({ attempt: 1 });
    });

    it('of a lost worker is settled by one process, with a backoff that grows with each loss', async () => {
      const at = await due();
      const waits: number[] = [];
      for (let loss = 1; loss <= 8; loss += 1) {
        await work.claim(at);
        await work.passTime(LEASE_SECONDS + 1);
        const settled = await Promise.all(Array.from({ length: 5 }, () => work.claims.settleLost(9)));
        expect(settled.flat()).toHaveLength(1);
        waits.push((await work.row(at))!['due_in'] as number);
        await work.passTime(600);
      }
      expect(waits[0]).toBe(0);
      expect(Math.max(...waits)).toBeGreaterThan(1);
      expect(Math.max(...waits)).toBeLessThan(128);
    });

    it('does not move the watermark in a failed transaction', async () => {
      const at = await due();
      const held = await work.claim(at);
      const failing = work.complete(held!, 4, { userTurns: 2, recordsMade: 1 }, () => {
        throw new Error('the log said no');
      });
      await expect(failing).rejects.toThrow('the log said no');
      expect(await work.row(at)).toMatchObject({ watermark: 0, status: 'waiting' });
      await work.complete(held!, 4); // the lease is still held
    });

    it('leaves a session without remaining work idle, so that it cannot be claimed', async () => {
      const at = await due();
      await work.complete((await work.claim(at))!, 4, { userTurns: 2 });
      expect(await work.row(at)).toMatchObject({ status: 'idle', due: null, turns: 0, attempts: 0 });
      await work.passTime(10_000);
      expect(await work.claim(at)).toBeNull();
    });

    it('leaves the rest due for its own reason', async () => {
      const at = await due();
      const held = await work.claim(at);
      await work.note({ sessionKey: at.sessionKey, newestSequence: 5, userTurns: 1 });
      await work.complete(held!, 4, { userTurns: 2 });
      expect(await work.row(at)).toMatchObject({ watermark: 4, status: 'waiting', turns: 1, due_in: 60 });

      await work.note({ sessionKey: at.sessionKey, newestSequence: 9, userTurns: 2 });
      await work.complete((await work.claim(at))!, 6, { userTurns: 0 }); // a window that did not reach the end
      expect(await work.row(at)).toMatchObject({ watermark: 6, due: true, turns: 3 });
    });

    it('reads a backlog without user turns window by window, after one quiet period', async () => {
      const at = await work.setUp();
      await work.note({ sessionKey: at.sessionKey, newestSequence: 463, userTurns: 0 });
      expect(await work.row(at)).toMatchObject({ due: false, due_in: 60 });
      await work.passTime(61);
      for (let through = 50; through < 463; through += 50) {
        expect(await work.complete((await work.claim(at))!, through)).toEqual({ isDue: true });
      }
      const last = await work.claim(at);
      // What arrives after the claim waits for its own quiet period.
      await work.note({ sessionKey: at.sessionKey, newestSequence: 464, userTurns: 0 });
      expect(await work.complete(last!, 463)).toEqual({ isDue: false });
      expect(await work.row(at)).toMatchObject({ watermark: 463, status: 'waiting', due: false, due_in: 60 });
    });

    it('adds what was skipped to the status of the session, by reason', async () => {
      const at = await due();
      const skipped = async () => (await work.states.sessionStates(at.session))[0]?.skipped;
      expect(await skipped()).toEqual({});
      await work.complete((await work.claim(at))!, 1, { skipped: { language: 2, prompt: 1 } });
      await work.complete((await work.claim(at))!, 2);
      await work.complete((await work.claim(at))!, 4, { skipped: { prompt: 1, secret: 3 } });
      expect(await skipped()).toEqual({ language: 2, prompt: 2, secret: 3 });
    });

    it('waits after a window that read nothing', async () => {
      const at = await work.setUp();
      await work.note({ sessionKey: at.sessionKey, newestSequence: 9, userTurns: 0 });
      await work.passTime(61);
      expect(await work.complete((await work.claim(at))!, 0)).toEqual({ isDue: false });
    });

    it('continues to where the agent stopped, window by window', async () => {
      const at = await work.setUp();
      await work.note({ sessionKey: at.sessionKey, newestSequence: 8, flushThrough: 8, userTurns: 0 });
      await work.complete((await work.claim(at))!, 5);
      expect(await work.row(at)).toMatchObject({ due: true });
      const held = await work.claim(at);
      await work.note({ sessionKey: at.sessionKey, newestSequence: 9, userTurns: 0 });
      await work.complete(held!, 8);
      expect(await work.row(at)).toMatchObject({ due: false, due_in: 60, status: 'waiting' });
    });
  });

  describe('a failure', () => {
    const failed = async (retryInMs: number | null) => {
      const at = await work.setUp();
      await work.note({ sessionKey: at.sessionKey, flushThrough: 1 });
      await work.claims.fail((await work.claim(at))!, {
        code: 'model.timeout',
        retryInMs,
        keepAnswer: false,
        outage: false,
      });
      return at;
    };

    it('waits for its backoff whatever messages arrive, and counts the attempts', async () => {
      const at = await failed(20_000);
      expect(await work.row(at)).toMatchObject({
        status: 'waiting',
        due_in: 20,
        last_code: 'model.timeout',
      });
      await work.note({ sessionKey: at.sessionKey, newestSequence: 2, flushThrough: 2, userTurns: 9 });
      expect(await work.row(at)).toMatchObject({ due: false, due_in: 20, newest: 2 });
      await work.passTime(20);
      const again = await work.claim(at);
      expect(again).toMatchObject({ attempt: 2 });
      await work.complete(again!, 2);
      expect(await work.row(at)).toMatchObject({ last_code: null, attempts: 0 });
    });

    it('caused by an outage counts separately, and only while consecutive', async () => {
      const at = await work.setUp();
      await work.note({ sessionKey: at.sessionKey, flushThrough: 1 });
      const failNow = async (outage: boolean) => {
        const held = await work.claim(at);
        await work.claims.fail(held!, { code: 'model.any', retryInMs: 0, keepAnswer: false, outage });
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
      await work.complete((await work.claim(at))!, 1);
      await work.note({ sessionKey: at.sessionKey, newestSequence: 2, flushThrough: 2 });
      expect(await work.claim(at)).toMatchObject({ attempt: 1, outageTry: 1 });
    });

    it('stays parked until requested', async () => {
      const at = await failed(null);
      expect(await work.row(at)).toMatchObject({ status: 'parked', due: null });
      await work.note({ sessionKey: at.sessionKey, newestSequence: 2, flushThrough: 2 });
      await work.passTime(100_000);
      expect(await work.claim(at)).toBeNull();
      expect(await work.schedule.admit(MANY)).toEqual([]);
      expect(await work.states.progress(at.tenantId, at.memoryId)).toMatchObject([
        { pendingSessions: 0, parkedSessions: 1 },
      ]);

      await work.database.say(at.session, 2);
      expect(await work.schedule.request(at.session, at.strategyId)).toBe(true);
      expect(await work.claim(at)).toMatchObject({ attempt: 1, newestSequence: 2, watermark: 0 });
    });
  });
});
