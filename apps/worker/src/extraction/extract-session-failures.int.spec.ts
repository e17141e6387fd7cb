import {
  ExtractionFailed,
  ModelOutage,
  ThreadResourcesMissing,
  type ExtractSession,
  type MemoryStore,
} from '@turnkeeper/application';
import { type PgEventStore, PgPersonalRows } from '@turnkeeper/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  breakingOnce,
  LIMITS,
  ExtractionRig,
  factAbout,
  type ScriptedModel,
  type RigSession,
} from '../testing/extraction-rig.js';

describe('one window of a session', () => {
  let rig: ExtractionRig;
  let model: ScriptedModel;
  let session: RigSession;
  let extract: ExtractSession;

  beforeAll(async () => {
    rig = await ExtractionRig.create();
  });
  afterAll(() => rig?.close());
  beforeEach(async () => {
    ({ model, extract, session } = await rig.teaSession());
  });

  describe('while the database is too slow', () => {
    const timeout = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });

    it('costs no attempt, however long that lasts', async () => {
      await rig.say(session, 'I like tea.');
      const memories = { strategies: () => Promise.reject(timeout) } as unknown as MemoryStore;
      const slow = rig.extractor(model, {}, { memories });
      for (let run = 1; run <= LIMITS.maxAttempts + 2; run += 1) {
        await expect(rig.run(slow, session)).rejects.toBe(timeout);
        expect(await rig.state(session)).toMatchObject({ status: 'waiting', attempts: 0 });
        // Deferred, so that a slow database is not polled without a pause.
        expect(await rig.run(slow, session)).toEqual({ kind: 'not_due' });
        await rig.passTime(600);
      }
      expect(await rig.run(extract, session)).toMatchObject({ kind: 'extracted' });
    });

    it('is not parked as a whole if the end of its window cannot be found', async () => {
      await rig.say(session, 'I like tea.');
      let isSlow = false;
      const reads = (name: 'readSession' | 'readSessionPage') => ({
        value: (...args: Parameters<PgEventStore[typeof name]>) =>
          isSlow ? Promise.reject(timeout) : (rig.eventStore[name] as (...all: unknown[]) => unknown)(...args),
      });
      const eventStore = Object.create(rig.eventStore, {
        readSession: reads('readSession'),
        readSessionPage: reads('readSessionPage'),
      }) as PgEventStore;
      model.answer = () => {
        isSlow = model.asked.length === 1;
        throw new ExtractionFailed('model.refused', 'refused', null);
      };
      const last = rig.extractor(model, { maxAttempts: 1 }, { eventStore });
      expect(await rig.run(last, session)).toEqual({ kind: 'retry', code: 'database.unavailable' });
      isSlow = false;
      await rig.passTime(600);
      expect(await rig.run(last, session)).toMatchObject({ kind: 'parked', code: 'model.refused' });
      expect(await rig.state(session)).not.toMatchObject({ status: 'parked' });
    });
  });

  it('costs no attempt while the machine has no CPU or memory to read it, however long that lasts', async () => {
    await rig.say(session, 'I like tea.');
    model.answer = () => {
      throw new ThreadResourcesMissing();
    };
    for (let run = 1; run <= LIMITS.maxAttempts + 2; run += 1) {
      expect(await rig.run(extract, session)).toEqual({ kind: 'retry', code: 'extraction.no_resources' });
      expect(await rig.state(session)).toMatchObject({ status: 'waiting', attempts: 0 });
      await rig.passTime(600);
    }
  });

  describe('an unusable answer', () => {
    const parkIt = async () => {
      await rig.say(session, 'I like tea.', 'I like rain.');
      model.answer = () => 'I would rather not.';
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        const outcome = await rig.run(extract, session);
        expect(outcome).toEqual({ kind: attempt === 3 ? 'parked' : 'retry', code: 'model.unreadable_answer' });
        await rig.passTime(600);
      }
    };

    it('is requested again, then parked visibly with its answer', async () => {
      await parkIt();
      expect(model.asked).toHaveLength(3);
      expect(await rig.extractionStates.parked(session.tenantId, session.memoryId, { limit: 10 })).toEqual([
        {
          strategyId: session.strategyId,
          actorId: 'ada',
          sessionId: session.sessionId,
          fromSequence: 1,
          toSequence: 2,
          code: 'model.unreadable_answer',
          attempts: 3,
          parkedAt: expect.stringMatching(/^\d{4}-/),
          answer: 'I would rather not.',
          model: 'scripted',
        },
      ]);
      expect(await rig.extractionStates.parked(session.memoryId, session.memoryId, { limit: 10 })).toEqual([]);
    });

    it('loses nothing: a replay reads the same window', async () => {
      await parkIt();
      model.answer = ({ messages }) => factAbout('User likes tea.', 'm1', messages[0]?.content ?? '');
      const { tenantId, memoryId, actorId, sessionId, strategyId } = session;
      expect(await rig.extractionSchedule.replayParked(memoryId, memoryId, null)).toBe(0);
      expect(
        await rig.extractionSchedule.replayParked(tenantId, memoryId, { strategyId, actorId, sessionId: 'other' }),
      ).toBe(0);
      expect(await rig.extractionSchedule.replayParked(tenantId, memoryId, { strategyId, actorId, sessionId })).toBe(1);
      expect(await rig.run(extract, session)).toMatchObject({ kind: 'extracted', fromSequence: 1, toSequence: 2 });
      expect(await rig.extractionStates.parked(tenantId, memoryId, { limit: 10 })).toEqual([]);
    });

    it('is stored with its reason and cost if the endpoint itself reports a failure', async () => {
      await rig.say(session, 'I like tea.');
      model.answer = () => {
        const usage = { inputTokens: 7, outputTokens: 3 };
        throw new ExtractionFailed('model.refused', 'no', 'I cannot help with that.', null, usage);
      };
      expect(await rig.run(extract, session)).toEqual({ kind: 'retry', code: 'model.refused' });
      expect(await rig.derived(session, 'extraction.answered')).toMatchObject([
        { failure: 'model.refused', rawAnswer: 'I cannot help with that.', usage: { inputTokens: 7 } },
      ]);
      expect(await rig.state(session)).toMatchObject({ answer_unread: false, attempts: 1 });
    });
  });

  describe('too large for the endpoint', () => {
    const says = ['I like tea.', 'I like jazz.', 'I like Hue.', 'I like rain.'];
    const tooLarge = (most: number, code: string) => {
      model.answer = ({ messages: [first, ...more] }) => {
        if (more.length >= most) throw new ExtractionFailed(code, 'too large', null);
        return factAbout(`User says: ${first?.content}`, 'm1', first?.content ?? '');
      };
    };

    it.each(['model.truncated_answer', 'model.timeout', 'model.context_too_small'])(
      'is read in smaller parts: %s',
      async (code) => {
        tooLarge(1, code);
        await rig.say(session, ...says);
        const small = rig.extractor(model, { windowEvents: 4, maxAttempts: 3 });
        for (let run = 0; (await rig.state(session))['status'] === 'waiting' && run < 20; run += 1) {
          await rig.passTime(600);
          await rig.run(small, session);
        }
        expect(await rig.texts(session)).toHaveLength(4);
        expect(await rig.state(session)).toMatchObject({ status: 'idle', watermark: 4 });
      },
    );

    it('in any size is parked whole', async () => {
      tooLarge(0, 'model.truncated_answer');
      await rig.say(session, ...says);
      const small = rig.extractor(model, { windowEvents: 4, maxAttempts: 3 });
      for (let run = 0; run < 3; run += 1) {
        await rig.passTime(600);
        await rig.run(small, session);
      }
      expect(model.asked.map(({ messages }) => messages.length)).toEqual([4, 2, 1]);
      expect(await rig.state(session)).toMatchObject({ status: 'idle', watermark: 4 });
    });

    it('is not what another failure means', async () => {
      tooLarge(0, 'model.refused');
      await rig.say(session, ...says);
      const small = rig.extractor(model, { windowEvents: 4, maxAttempts: 2 });
      await rig.run(small, session);
      await rig.passTime(600);
      await rig.run(small, session);
      expect(model.asked.map(({ messages }) => messages.length)).toEqual([4, 4]);
    });
  });

  describe('an endpoint that does not answer', () => {
    const away = () => {
      throw new ModelOutage('model.unavailable', 'The endpoint answered with status 502.', '<html>Bad gateway</html>');
    };
    const tryAgain = async () => {
      const outcome = await rig.run(extract, session);
      await rig.passTime(600);
      return outcome;
    };

    it('is retried longer than one with bad answers, without using up their attempts', async () => {
      await rig.say(session, 'I like tea.');
      model.answer = away;
      for (let outage = 1; outage <= 4; outage += 1) {
        expect(await tryAgain()).toEqual({ kind: 'retry', code: 'model.unavailable' });
      }
      model.answer = () => 'junk';
      for (let attempt = 1; attempt <= 2; attempt += 1) {
        expect(await tryAgain()).toEqual({ kind: 'retry', code: 'model.unreadable_answer' });
      }
      model.answer = away;
      expect(await tryAgain()).toEqual({ kind: 'retry', code: 'model.unavailable' });
      model.answer = ({ messages }) => factAbout('User likes tea.', 'm1', messages[0]?.content ?? '');
      expect(await tryAgain()).toMatchObject({ kind: 'extracted', fromSequence: 1 });
    });

    it('parks the window with the code if the outage lasts; its message is stored once', async () => {
      await rig.say(session, 'I like tea.');
      model.answer = away;
      for (let outage = 1; outage <= 4; outage += 1) await tryAgain();
      expect(await tryAgain()).toEqual({ kind: 'parked', code: 'model.unavailable' });
      expect(await rig.extractionStates.parked(session.tenantId, session.memoryId, { limit: 10 })).toMatchObject([
        { code: 'model.unavailable', attempts: 5, answer: '<html>Bad gateway</html>' },
      ]);
      expect(await rig.derived(session, 'extraction.answered')).toMatchObject([{ failure: 'model.unavailable' }]);
      expect(await rig.extractionSchedule.replayParked(session.tenantId, session.memoryId, null)).toBe(1);
      expect(await tryAgain()).toEqual({ kind: 'retry', code: 'model.unavailable' });
    });
  });

  describe('that is interrupted', () => {
    it('by our own shutdown costs no attempt, and another worker can take it immediately', async () => {
      await rig.say(session, 'I like tea.');
      const shutdown = new AbortController();
      model.answer = (_, signal) => {
        shutdown.abort(new Error('shutdown'));
        signal.throwIfAborted();
        return '';
      };
      await expect(rig.run(extract, session, shutdown.signal)).rejects.toThrow('shutdown');
      expect(await rig.state(session)).toMatchObject({ attempts: 0, last_code: null, held: null, due: true });
    });

    it('by a crash costs an attempt; window and reason are visible once attempts are used up', async () => {
      await rig.say(session, 'I like tea.');
      const key = await rig.keyOf(session);
      for (let attempt = 1; attempt <= LIMITS.maxAttempts; attempt += 1) {
        expect(await rig.extractions.claim(key, session.strategyId, 30)).toMatchObject({ attempt });
        await rig.passTime(31);
        expect(await rig.extractions.settleLost(LIMITS.maxAttempts)).toMatchObject([
          { attempts: attempt, parked: attempt === LIMITS.maxAttempts },
        ]);
        await rig.passTime(600);
      }
      expect(await rig.run(extract, session)).toEqual({ kind: 'parked', code: 'extraction.worker_lost' });
      expect(model.asked).toEqual([]);
      expect(await rig.extractionStates.parked(session.tenantId, session.memoryId, { limit: 10 })).toMatchObject([
        { code: 'extraction.worker_lost', attempts: LIMITS.maxAttempts, answer: null },
      ]);
      await rig.extractionSchedule.replayParked(session.tenantId, session.memoryId, null);
      expect(await rig.run(extract, session)).toMatchObject({ kind: 'extracted', records: 1 });
    });

    it('by a worker that stood still and goes on costs no attempt, however often', async () => {
      await rig.say(session, 'I like tea.');
      let beat: () => void = () => undefined;
      const beating = rig.extractor(model, {}, { every: (_, work) => ((beat = work), () => undefined) });
      model.answer = async (_, signal) => {
        await rig.passTime(600);
        await rig.extractions.settleLost(LIMITS.maxAttempts);
        beat();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        throw signal.reason;
      };
      for (let run = 1; run <= LIMITS.maxAttempts + 2; run += 1) {
        expect(await rig.run(beating, session)).toEqual({ kind: 'lease_lost' });
        expect(await rig.state(session)).toMatchObject({ status: 'waiting', attempts: 0, held: null, due: false });
        await rig.passTime(600);
      }
      model.answer = () => factAbout('User likes tea.', 'm1', 'I like tea.');
      expect(await rig.run(extract, session)).toMatchObject({ kind: 'extracted', records: 1 });
    });

    it('by the deletion of its memory commits nothing', async () => {
      await rig.say(session, 'I like tea.');
      let beat: () => void = () => undefined;
      const beating = rig.extractor(model, {}, { every: (_, work) => ((beat = work), () => undefined) });
      let wasCutOff = false;
      model.answer = async (_, signal) => {
        await rig.rows('update memory_gates set is_open = false where memory_id = $1', [session.memoryId]);
        beat();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        wasCutOff = true;
        throw signal.reason;
      };
      expect(await rig.run(beating, session)).toEqual({ kind: 'lease_lost' });
      expect(wasCutOff).toBe(true);
      await rig.passTime(600);
      await rig.extractions.settleLost(LIMITS.maxAttempts);
      await rig.passTime(600);
      expect(await rig.run(extract, session)).toEqual({ kind: 'not_due' });
    });

    it('by nothing holds its lease for as long as the model takes', async () => {
      await rig.say(session, 'I like tea.');
      const patient = rig.extractor(model, { leaseSeconds: 0.3 });
      model.answer = async () => {
        for (let time = 0; time < 10; time += 1) {
          await new Promise((resolve) => setTimeout(resolve, 100));
          expect(await rig.extractions.settleLost(LIMITS.maxAttempts)).toEqual([]);
        }
        return factAbout('User likes tea.', 'm1', 'I like tea.');
      };
      expect(await rig.run(patient, session)).toMatchObject({ kind: 'extracted', records: 1 });
    });
  });

  describe('overtaken by an erasure', () => {
    const forget = () =>
      rig.unitOfWork.run(async (tx) =>
        new PgPersonalRows(rig.dataSource).forgetCopies(tx, session.tenantId, await rig.keyOf(session)),
      );

    it('stores no answer about erased content, and is read again', async () => {
      await rig.say(session, 'I like tea.');
      model.answer = async () => {
        await forget();
        return factAbout('User likes tea.', 'm1', 'I like tea.');
      };
      expect(await rig.run(extract, session)).toEqual({ kind: 'lease_lost' });
      expect(await rig.derived(session, 'extraction.answered')).toEqual([]);
      expect(await rig.state(session)).toMatchObject({ status: 'waiting', attempts: 0, held: null, due: true });
    });

    it('does not use its stored answer', async () => {
      await rig.say(session, 'I like tea.');
      const broken = rig.extractor(model, {}, { recordWriter: breakingOnce() });
      await expect(rig.run(broken, session)).rejects.toThrow();
      await forget();
      await rig.passTime(10);
      expect(await rig.run(broken, session)).toMatchObject({ kind: 'extracted' });
      expect(model.asked).toHaveLength(2);
    });
  });
});
