import { wholeTenant } from '@turnkeeper/domain';
import {
  DeleteMemory,
  EraseEvent,
  EraseSessions,
  FinishErasures,
  RebuildProjections,
  type ExtractSession,
} from '@turnkeeper/application';
import { systemIds } from '@turnkeeper/platform';
import { createShadowStores, PgPersonalRows, PgRecordWriter } from '@turnkeeper/postgres';
import { eventually } from '@turnkeeper/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ExtractionRig, ScriptedModel, type RigSession } from '../testing/extraction-rig.js';

/** Appears in the erased data and nowhere else. */
const SECRET = 'zanzibarquokka';
const SAID = `My code name is ${SECRET}.`;
const KEPT = 'I like tea.';

/** The end of a race: no table contains anything that was erased. */
describe('an extraction that races with an erasure', () => {
  let rig: ExtractionRig;
  let model: ScriptedModel;
  let session: RigSession;
  let eventId: string;
  /** Kept: an erasure is addressed by the session's name. */
  let sessionKey: number;
  let errors: unknown[];
  beforeAll(async () => {
    rig = await ExtractionRig.create();
  });
  afterAll(() => rig?.close());
  beforeEach(async () => {
    errors = [];
    session = await rig.session();
    [eventId = ''] = await rig.say(session, SAID, KEPT);
    sessionKey = await rig.keyOf(session);
    model = new ScriptedModel();
    model.answer = ({ messages }) =>
      JSON.stringify({
        facts: messages.map(({ content }, index) => ({
          text: content === SAID ? `User's code name is ${SECRET}.` : 'User likes tea.',
          sources: [{ event: `m${index + 1}`, quote: content }],
        })),
      });
  });
  afterEach(() => expect(errors).toEqual([]));

  const deps = () => ({
    ...rig.stores,
    erasure: rig.eventStore.erasure,
    directory: rig.eventStore.directory,
    recordWriter: new PgRecordWriter(),
    personalRows: new PgPersonalRows(rig.dataSource),
    ids: systemIds,
  });
  type Deps = ReturnType<typeof deps>;

  const ERASURES: Record<string, (parts: Deps) => Promise<unknown>> = {
    'an event': (parts) => new EraseEvent(parts).execute(wholeTenant(session.tenantId), session, eventId),
    'a session': (parts) => new EraseSessions(parts).session(wholeTenant(session.tenantId), session),
    'an actor': (parts) =>
      new EraseSessions(parts).actor(wholeTenant(session.tenantId), session.memoryId, session.actorId),
    'a memory': async (parts) => {
      await new DeleteMemory(parts).execute(session.tenantId, session.memoryId);
      await new FinishErasures({ ...parts, tombstoneDays: 30 }).execute();
    },
  };
  const kinds = Object.keys(ERASURES);
  const erase = (kind: string, parts: Deps = deps()): Promise<unknown> => ERASURES[kind]!(parts);

  /** Runs the extraction while there is something to read; a lost lease is a valid outcome of a race. */
  const extractAll = async (extract: ExtractSession): Promise<void> => {
    for (let times = 0; times < 5; times += 1) {
      await rig.passTime(3_600);
      const outcome = await extract
        .execute(sessionKey, session.strategyId, new AbortController().signal)
        .catch(refused);
      if (outcome === null || outcome.kind === 'not_due') return;
    }
  };
  /** The log rejects appends for a deleted session or memory. */
  const refused = (error: unknown): null => {
    if (!['MemoryNotFound', 'SessionNotFound', 'LeaseLost'].includes((error as Error).name)) errors.push(error);
    return null;
  };

  /** Resolves when the work has finished or waits for one of the caller's locks. */
  const endedOrWaiting = async (work: Promise<unknown>): Promise<void> => {
    let ended = false;
    const note = (): void => void (ended = true);
    work.then(note, note);
    const waiting = async (): Promise<boolean> =>
      (
        await rig.rows(`select 1 from pg_stat_activity
                         where datname = current_database() and wait_event_type = 'Lock'`)
      ).length > 0;
    await eventually(async () => ended || (await waiting()), { withinMs: 60_000, everyMs: 5 });
  };

  /** Tables in which any row contains the word. */
  const tablesThatKnow = async (word: string): Promise<string[]> => {
    const tables = await rig.rows<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables
        where table_schema = current_schema() and table_type = 'BASE TABLE'`,
    );
    const found = await Promise.all(
      tables.map(async ({ name }) => {
        const rows = await rig.rows(`select 1 from ${name} t where t::text ilike $1 limit 1`, [`%${word}%`]);
        return rows.length > 0 ? [name] : [];
      }),
    );
    return found.flat();
  };
  const isForgotten = async (kind: string): Promise<void> => {
    await rig.eventStore.turns.catchUp(1_000);
    expect(await tablesThatKnow(SECRET)).toEqual([]);
    if (kind === 'an event') expect(await rig.texts(session)).toEqual(['User likes tea.']);
  };

  it('finds the word where it is stored, so that its absence is meaningful', async () => {
    await extractAll(rig.extractor(model));
    expect(await tablesThatKnow(SECRET)).toEqual(expect.arrayContaining(['events', 'records']));
    await erase('an actor');
    await isForgotten('an actor');
  });

  it.each(kinds)('of %s while the model answers, leaves nothing of it', async (kind) => {
    const { answer } = model;
    let erased = false;
    model.answer = async (input, signal) => {
      const text = await answer(input, signal);
      if (!erased) await erase(kind);
      erased = true;
      return text;
    };
    await extractAll(rig.extractor(model));
    expect(erased).toBe(true);
    await isForgotten(kind);
  });

  it.each(kinds)('of %s after its answer was stored, leaves nothing of it', async (kind) => {
    const recordWriter = new PgRecordWriter();
    let erasing: Promise<unknown> | undefined;
    recordWriter.lockNamespace = async (...args) => {
      if (erasing === undefined) await endedOrWaiting((erasing = erase(kind)));
      await PgRecordWriter.prototype.lockNamespace.apply(recordWriter, args);
    };
    await extractAll(rig.extractor(model, {}, { recordWriter }));
    await erasing;
    expect(erasing).toBeDefined();
    await extractAll(rig.extractor(model));
    await isForgotten(kind);
  });

  it.each(kinds)('of %s between its rows and its append, leaves nothing of it', async (kind) => {
    const recordWriter = new PgRecordWriter();
    let erasing: Promise<unknown> | undefined;
    recordWriter.apply = async (...args) => {
      await PgRecordWriter.prototype.apply.apply(recordWriter, args);
      if (erasing === undefined) await endedOrWaiting((erasing = erase(kind)));
    };
    await extractAll(rig.extractor(model, {}, { recordWriter }));
    await erasing;
    expect(erasing).toBeDefined();
    await extractAll(rig.extractor(model));
    await isForgotten(kind);
  });

  it.each(['an event', 'a session', 'an actor'])(
    'of %s that has deleted its records but not yet its events, leaves nothing of it',
    async (kind) => {
      const recordWriter = new PgRecordWriter();
      let extracting: Promise<void> | undefined;
      const extractMeanwhile = async (): Promise<void> => {
        if (extracting === undefined) await endedOrWaiting((extracting = extractAll(rig.extractor(model))));
      };
      const { eraseEvent, eraseSessions } = PgRecordWriter.prototype;
      recordWriter.eraseEvent = async (...args) => {
        const erased = await eraseEvent.apply(recordWriter, args);
        await extractMeanwhile();
        return erased;
      };
      recordWriter.eraseSessions = async (...args) => {
        const erased = await eraseSessions.apply(recordWriter, args);
        await extractMeanwhile();
        return erased;
      };
      await erase(kind, { ...deps(), recordWriter });
      await extracting;
      expect(extracting).toBeDefined();
      await extractAll(rig.extractor(model));
      await isForgotten(kind);
    },
  );

  it.each(kinds)('of %s after a rebuild has read it, restores nothing of it', async (kind) => {
    await extractAll(rig.extractor(model));
    let erasing: Promise<unknown> | undefined;
    const eventStore = {
      headPosition: () => rig.eventStore.headPosition(),
      readLog: async (...args: Parameters<typeof rig.eventStore.readLog>) => {
        const page = await rig.eventStore.readLog(...args);
        // The rebuild continues with what it read before the erasure.
        if (erasing === undefined) await (erasing = erase(kind));
        return page;
      },
    };
    const rebuild = new RebuildProjections({ ...createShadowStores(rig.dataSource), eventStore });
    expect((await rebuild.execute()).drift).toEqual([]);
    expect(erasing).toBeDefined();
    await isForgotten(kind);
  });
});
