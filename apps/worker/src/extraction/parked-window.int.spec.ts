import { setTimeout as pause } from 'node:timers/promises';
import { AwaitExtraction, ReadSessionExtraction, type RecordWriter } from '@turnkeeper/application';
import { PgParkedWorkStore, PgRecordWriter } from '@turnkeeper/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ExtractionRig, factAbout, LIMITS, ScriptedModel, type RigSession } from '../testing/extraction-rig.js';

const POISON = 'Something that no model reads.';

describe('a parked window', () => {
  let rig: ExtractionRig;
  let model: ScriptedModel;
  let session: RigSession;
  let isPoisoned: boolean;
  let parkedWork: PgParkedWorkStore;

  beforeAll(async () => {
    rig = await ExtractionRig.create();
    parkedWork = new PgParkedWorkStore(rig.dataSource);
  });
  afterAll(() => rig?.close());
  beforeEach(async () => {
    session = await rig.session();
    model = new ScriptedModel();
    isPoisoned = true;
    model.answer = ({ messages }) => {
      const content = messages[0]?.content ?? '';
      return isPoisoned && content === POISON ? 'junk' : factAbout(`User says: ${content}`, 'm1', content);
    };
  });

  /** Runs everything due, like the worker, with one event per window. */
  const work = async (parts: Parameters<ExtractionRig['extractor']>[2] = {}, windowEvents = 1) => {
    const extract = rig.extractor(model, { windowEvents, contextEvents: 0, maxAttempts: 2 }, parts);
    const kinds: string[] = [];
    for (let run = 0; run < 20; run += 1) {
      await rig.passTime(600);
      await rig.extractions.settleLost(2);
      const outcome = await rig.run(extract, session).catch((error: Error) => ({ kind: error.message }));
      if (outcome.kind === 'not_due') break;
      kinds.push(outcome.kind);
    }
    return kinds;
  };
  /** Every range that was read or parked, by start, after checking that they tile 1..watermark. */
  const ranges = async (): Promise<string[]> => {
    const extracted = await rig.derived(session, 'records.extracted');
    const parked = await rig.rows<{ from: number; to: number; end: string }>(
      `select from_sequence::int as from, to_sequence::int as to,
              case when dropped_at is not null then 'dropped' when requested_at is not null then 'asked' else 'parked' end
                as end
         from parked_windows where session_key = $1`,
      [await rig.keyOf(session)],
    );
    const all = [
      ...extracted.map(({ fromSequence, toSequence }) => ({ from: fromSequence, to: toSequence, end: 'read' })),
      ...parked,
    ].sort((one, other) => one.from - other.from);
    let next = 1;
    for (const { from, to } of all) {
      expect(from).toBe(next);
      next = to + 1;
    }
    expect((await rig.state(session))['watermark']).toBe(next - 1);
    return all.map(({ from, to, end }) => `${end} ${from}-${to}`);
  };
  const replay = (askAgain = false) =>
    rig.extractionSchedule.replayParked(session.tenantId, session.memoryId, null, { askAgain });
  const only = async () => {
    const [found, ...more] = (
      await parkedWork.list({ kind: 'window', tenantId: session.tenantId }, { limit: 9 })
    ).filter(({ memoryId }) => memoryId === session.memoryId);
    expect(more).toEqual([]);
    return found;
  };
  const wait = (sequence: number, waitMs = 0) =>
    new AwaitExtraction({ ...rig.stores, monotonicMs: () => performance.now(), pause: (ms) => pause(ms) }).execute(
      session,
      sequence,
      waitMs,
    );

  it('does not block later ones, and a replay reads exactly its range', async () => {
    await rig.say(session, 'I like tea.', POISON, 'I like rain.');
    expect(await work()).toEqual(['extracted', 'retry', 'parked', 'extracted']);
    expect(await ranges()).toEqual(['read 1-1', 'parked 2-2', 'read 3-3']);
    expect(await only()).toMatchObject({ code: 'model.unreadable_answer', attempts: 2, cause: expect.any(String) });

    isPoisoned = false;
    await rig.say(session, 'I like snow.');
    await work();
    expect(await replay()).toBe(1);
    expect(await work()).toEqual(['extracted']);
    expect(model.asked.at(-1)?.messages.map(({ content }) => content)).toEqual([POISON]);
    expect(await ranges()).toEqual(['read 1-1', 'read 2-2', 'read 3-3', 'read 4-4']);
    expect(await rig.state(session)).toMatchObject({ status: 'idle', attempts: 0 });
    expect(await only()).toBeUndefined();
  });

  it('is read when the whole session is requested', async () => {
    await rig.say(session, POISON, 'I like rain.');
    await work();
    isPoisoned = false;
    await rig.extractionSchedule.request(session, session.strategyId);
    expect(await work()).toEqual(['extracted']);
    expect(await ranges()).toEqual(['read 1-1', 'read 2-2']);
  });

  it('is parked again if its replay fails, and the session continues', async () => {
    await rig.say(session, POISON, 'I like rain.');
    await work();
    await replay();
    await rig.say(session, 'I like snow.');
    expect(await work()).toEqual(['retry', 'parked', 'extracted']);
    expect(await ranges()).toEqual(['parked 1-1', 'read 2-2', 'read 3-3']);
    expect(await only()).toMatchObject({ attempts: 2 });
  });

  it('is replayed after the retries of another window, which keeps its count', async () => {
    await rig.say(session, POISON);
    await work();
    await rig.say(session, POISON);
    const extract = rig.extractor(model, { windowEvents: 1, contextEvents: 0, maxAttempts: 2 });
    expect(await rig.run(extract, session)).toMatchObject({ kind: 'retry' });
    await replay();
    expect(await rig.state(session)).toMatchObject({ attempts: 1 });
    expect(await work()).toEqual(['parked', 'retry', 'parked']);
    expect(await ranges()).toEqual(['parked 1-1', 'parked 2-2']);
  });

  it('that is too long for one run now is replayed in parts', async () => {
    await rig.say(session, POISON, 'I like tea.', 'I like rain.');
    await work({}, 3);
    expect(await ranges()).toEqual(['parked 1-3']);
    isPoisoned = false;
    await replay();
    expect(await work({}, 2)).toEqual(['extracted', 'extracted']);
    expect(await ranges()).toEqual(['read 1-2', 'read 3-3']);
  });

  it('that is dropped stays accounted for, and is not listed, waited for or replayed', async () => {
    await rig.say(session, POISON, 'I like rain.');
    await work();
    const parked = (await only())!;
    await expect(wait(1)).rejects.toMatchObject({ code: 'extraction.window_parked' });
    await parkedWork.drop(parked);
    expect(await only()).toBeUndefined();
    await expect(parkedWork.replay(parked)).rejects.toMatchObject({ code: 'parked.not_found' });
    expect(await replay()).toBe(0);
    await wait(1);
    expect(await ranges()).toEqual(['dropped 1-1', 'read 2-2']);
  });

  it('affects only reads that wait for its sequences', async () => {
    await rig.say(session, 'I like tea.', POISON, 'I like rain.');
    await work();
    await wait(1);
    await expect(wait(2)).rejects.toMatchObject({
      code: 'extraction.window_parked',
      details: { facts: { readThrough: 1 } },
    });
    await wait(3);
    await replay();
    await expect(wait(2)).rejects.toMatchObject({ code: 'memory.not_caught_up' });
    const { strategies } = await new ReadSessionExtraction(rig).execute(session);
    expect(strategies[0]).toMatchObject({
      status: 'accepted',
      parked: [{ fromSequence: 2, toSequence: 2, code: 'model.unreadable_answer', replaying: true }],
    });
  });

  it('is counted with its session, which is pending while a replay is due', async () => {
    await rig.say(session, POISON, 'I like rain.');
    await work();
    const counts = () => rig.extractionStates.progress(session.tenantId, session.memoryId);
    expect(await counts()).toMatchObject([{ pendingSessions: 0, parkedSessions: 1 }]);
    const { strategies } = await new ReadSessionExtraction(rig).execute(session);
    expect(strategies[0]).toMatchObject({ status: 'parked', code: 'model.unreadable_answer', readThrough: 2 });
    await replay();
    expect(await counts()).toMatchObject([{ pendingSessions: 1, parkedSessions: 0 }]);
  });

  describe('with an answer that cannot be committed', () => {
    const broken = (): { recordWriter: RecordWriter } => {
      const recordWriter: RecordWriter = new PgRecordWriter();
      recordWriter.apply = async () => Promise.reject(new Error('index row size exceeds maximum'));
      return { recordWriter };
    };

    it('reuses the answer on a replay, unless the operator asks for a new one', async () => {
      await rig.say(session, 'I like tea.');
      expect(await work(broken())).toHaveLength(2);
      expect(model.asked).toHaveLength(1);
      expect(await only()).toMatchObject({ code: 'extraction.failed', cause: 'Error', attempts: 2 });
      await replay();
      await work(broken());
      expect(model.asked).toHaveLength(1);
      await parkedWork.replay((await only())!, { askAgain: true });
      expect(await work()).toEqual(['extracted']);
      expect(model.asked).toHaveLength(2);
      expect(await ranges()).toEqual(['read 1-1']);
    });
  });

  it('that crashed its workers is parked too', async () => {
    await rig.say(session, 'I like tea.', 'I like rain.');
    const key = await rig.keyOf(session);
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await rig.extractions.claim(key, session.strategyId, LIMITS.leaseSeconds);
      await rig.passTime(600);
      await rig.extractions.settleLost(2);
      await rig.passTime(600);
    }
    expect(await work()).toEqual(['parked', 'extracted']);
    expect(await ranges()).toEqual(['parked 1-1', 'read 2-2']);
    expect(await only()).toMatchObject({ code: 'extraction.worker_lost', attempts: 2 });
  });
});
