import {
  AwaitExtraction,
  ReadSessionExtraction,
  statusOf,
  type SessionExtractionStatus,
} from '@turnkeeper/application';
import { NotesExtractor } from '@turnkeeper/extraction';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ExtractionRig, factAbout, ScriptedModel, type RigSession } from '../testing/extraction-rig.js';

describe('extraction progress of a session', () => {
  let rig: ExtractionRig;
  let model: ScriptedModel;
  let session: RigSession;

  beforeAll(async () => {
    rig = await ExtractionRig.create();
  });
  afterAll(() => rig?.close());
  beforeEach(async () => {
    model = new ScriptedModel();
    session = await rig.session();
  });

  const status = async (): Promise<SessionExtractionStatus> => {
    const { strategies } = await new ReadSessionExtraction(rig).execute(session);
    return strategies[0]!.status;
  };
  const read = (limits = {}) => rig.run(rig.extractor(model, limits), session);

  describe('its status', () => {
    it('is rejected for an empty session', async () => {
      await expect(status()).rejects.toMatchObject({ code: 'session.not_found' });
    });

    it('is accepted, running, then extracted or empty', async () => {
      await rig.say(session, 'Good morning.');
      expect(await status()).toBe('accepted');
      const seen: SessionExtractionStatus[] = [];
      model.answer = async () => {
        seen.push(await status());
        return '{"facts": []}';
      };
      await read();
      expect([...seen, await status()]).toEqual(['running', 'empty']);
      await rig.say(session, 'I like tea.');
      expect(await status()).toBe('accepted');
      model.answer = () => factAbout('User likes tea.', 'm1', 'I like tea.');
      await read();
      expect(await new ReadSessionExtraction(rig).execute(session)).toEqual({
        newestSequence: 2,
        strategies: [
          {
            strategyId: session.strategyId,
            status: 'extracted',
            readThrough: 2,
            records: 1,
            code: null,
            nextTryAt: null,
            parked: [],
            skipped: {},
          },
        ],
      });
    });

    it('says what the notes skipped', async () => {
      await rig.say(session, 'My password is hunter2. Ich wohne in Kassel und mag Kaffee.');
      await rig.run(rig.extractor(new NotesExtractor()), session);
      const { strategies } = await new ReadSessionExtraction(rig).execute(session);
      expect(strategies[0]?.skipped).toEqual({ secret: 1 });
    });

    it('is retrying, then parked, with the code', async () => {
      await rig.say(session, 'I like tea.');
      model.answer = () => 'junk';
      await read({ maxAttempts: 2 });
      expect(await status()).toBe('retrying');
      await rig.passTime(60);
      await read({ maxAttempts: 2 });
      const { strategies } = await new ReadSessionExtraction(rig).execute(session);
      expect(strategies[0]).toMatchObject({ status: 'parked', code: 'model.unreadable_answer', nextTryAt: null });
    });

    it('includes an event that was just committed', () => {
      const state = {
        strategyId: 's',
        runsByItself: true,
        status: 'idle',
        held: false,
        watermark: 4,
        records: 2,
        code: null,
        dueAt: null,
        skipped: {},
        parked: [],
      } as const;
      expect(statusOf(state, 5)).toBe('accepted');
      expect(statusOf({ ...state, runsByItself: false }, 5)).toBe('extracted');
      expect(statusOf({ ...state, runsByItself: false, watermark: 0, records: 0 }, 5)).toBe('not_requested');
      expect(statusOf({ ...state, status: 'waiting', code: 'budget.spent' }, 5)).toBe('waiting_for_budget');
    });
  });

  describe('waiting for it', () => {
    const wait = (sequence: number, waitMs: number) =>
      new AwaitExtraction({ ...rig.stores, monotonicMs: () => performance.now(), pause: (ms) => pause(ms) }).execute(
        session,
        sequence,
        waitMs,
      );
    const sayQuietly = (text: string) => rig.say(session, { content: text, role: 'assistant' });

    it('makes the session due now, and ends when every strategy is up to date', async () => {
      await rig.say(session, 'I like tea.');
      await read();
      await sayQuietly('So I hear.');
      await rig.rows(
        `update extraction_states set flush_through = 0, due_at = now() + interval '1 hour' where session_key = $1`,
        [await rig.keyOf(session)],
      );
      let done = false;
      const waiting = wait(2, 10_000).then(() => (done = true));
      await expect.poll(() => rig.state(session)).toMatchObject({ due: true });
      expect(done).toBe(false);
      await read();
      await waiting;
    });

    it('ends immediately if it was read before', async () => {
      await rig.say(session, 'I like tea.');
      await read();
      await wait(1, 0);
    });

    it('reports a timeout', async () => {
      await rig.say(session, 'I like tea.');
      await expect(wait(1, 50)).rejects.toMatchObject({
        code: 'memory.not_caught_up',
        details: { facts: { readThrough: 0 } },
      });
    });

    it('does not make later turns due with a sequence beyond the last turn', async () => {
      await rig.say(session, 'I like tea.');
      await expect(wait(1_000_000, 0)).rejects.toMatchObject({ code: 'memory.not_caught_up' });
      await expect(wait(1_000_000, 30)).rejects.toMatchObject({ code: 'memory.not_caught_up' });
      const [row] = await rig.rows<{ flush: number }>(
        'select flush_through::int as flush from extraction_states where session_key = $1',
        [await rig.keyOf(session)],
      );
      expect(row?.flush).toBe(1);
    });

    it('does not wait for a parked window', async () => {
      await rig.say(session, 'I like tea.');
      model.answer = () => 'junk';
      await read({ maxAttempts: 1 });
      await expect(wait(1, 10_000)).rejects.toMatchObject({ code: 'extraction.window_parked' });
    });
  });
});
