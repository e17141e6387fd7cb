import {
  DeleteRequestedRecords,
  DeleteStrategy,
  InsertRecords,
  RequestRecordDeletion,
  type RecordDeletion,
} from '@turnkeeper/application';
import { PgPersonalRows, PgRecordWriter, PgRecordDeletions } from '@turnkeeper/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExtractionRig, factAbout, ScriptedModel, type RigSession } from '../testing/extraction-rig.js';

/** A promise that a test resolves. */
const signal = () => {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve: () => resolve() };
};

const ANY = { namespace: null, strategyId: null, actorId: null, createdFrom: null, createdTo: null };

describe('deleting many records', () => {
  let rig: ExtractionRig;
  beforeAll(async () => {
    rig = await ExtractionRig.create();
  });
  afterAll(() => rig.close());

  const parts = (failed = (_: string, error: unknown): void => expect.unreachable(String(error))) => ({
    ...rig.stores,
    erasure: rig.eventStore.erasure,
    recordWriter: new PgRecordWriter(),
    personalRows: new PgPersonalRows(rig.dataSource),
    deletions: new PgRecordDeletions(rig.dataSource),
    failed,
  });
  const request = ({ tenantId, memoryId }: RigSession, filter: Partial<RecordDeletion['filter']>) =>
    new RequestRecordDeletion(parts()).execute(tenantId, memoryId, { ...ANY, ...filter });
  const work = () => new DeleteRequestedRecords(parts()).execute();
  const progress = ({ tenantId, memoryId }: RigSession, { deletionId }: RecordDeletion) =>
    new RequestRecordDeletion(parts()).get(tenantId, memoryId, deletionId);
  const insert = ({ tenantId, memoryId }: RigSession, texts: readonly string[], namespace: string) =>
    new InsertRecords(parts()).execute(
      tenantId,
      memoryId,
      texts.map((text) => ({ text, namespace, strategyId: null })),
    );
  const namespaces = ({ memoryId }: RigSession) =>
    rig
      .rows<{ namespace: string; n: number }>(
        'select namespace, count(*)::int as n from records where memory_id = $1 group by 1 order by 1',
        [memoryId],
      )
      .then((rows) => Object.fromEntries(rows.map(({ namespace, n }) => [namespace, n])));
  /** Record ids that the log says were withdrawn. */
  const withdrawn = async ({ memoryId }: RigSession): Promise<string[]> => {
    const rows = await rig.rows<{ data: { recordIds: string[] } }>(
      `select data from events where memory_id = $1 and type = 'records.withdrawn' order by position`,
      [memoryId],
    );
    return rows.flatMap(({ data }) => data.recordIds);
  };
  /** An extracted record that quotes a message. */
  const extracted = async (session: RigSession, text: string): Promise<string> => {
    const model = new ScriptedModel();
    const [said = ''] = await rig.say(session, text);
    model.answer = () => factAbout(text, 'm1', text);
    expect(await rig.run(rig.extractor(model), session)).toMatchObject({ kind: 'extracted', records: 1 });
    return said;
  };

  it('of a namespace takes several batches, leaves other namespaces, and is told to the log', async () => {
    const session = await rig.session();
    const many = Array.from({ length: 230 }, (_, index) => `Fact ${index}.`);
    const inserted = await insert(session, many, '/gone');
    await insert(session, ['Stays.'], '/stays');
    const deletion = await request(session, { namespace: '/gone' });
    expect(deletion).toMatchObject({ status: 'pending', found: null, deleted: 0, filter: { namespace: '/gone' } });
    await insert(session, ['Came later.'], '/gone');

    expect(await work()).toBe(230);
    expect(await namespaces(session)).toEqual({ '/gone': 1, '/stays': 1 });
    const told = await withdrawn(session);
    expect([...told].sort()).toEqual(inserted.map(({ recordId }) => recordId).sort());
    const finished = { status: 'finished', found: 230, deleted: 230, filter: null, finishedAt: expect.any(String) };
    expect(await progress(session, deletion)).toMatchObject(finished);
    expect(await work()).toBe(0);
    expect((await withdrawn(session)).length).toBe(230);
  });

  it('removes what a model said from the log, as a single deletion does', async () => {
    const session = await rig.session();
    await extracted(session, 'I live in Hue.');
    await request(session, { actorId: 'ada' });
    expect(await work()).toBe(1);
    expect(await namespaces(session)).toEqual({});
    expect(JSON.stringify(await rig.derived(session, 'records.extracted'))).not.toContain('Hue');
  });

  it('is shared by two workers without counting anything twice', async () => {
    const session = await rig.session();
    await insert(
      session,
      Array.from({ length: 230 }, (_, index) => `Fact ${index}.`),
      '/gone',
    );
    const deletion = await request(session, { namespace: '/gone' });
    const results = await Promise.all([work(), work(), work()]);
    // A worker that found the request locked leaves it to the others.
    expect(results.reduce((sum, count) => sum + count, 0)).toBe(230);
    expect(await progress(session, deletion)).toMatchObject({ status: 'finished', deleted: 230 });
    expect(new Set(await withdrawn(session)).size).toBe(230);
  });

  it('that fails is tried again later and does not block other requests', async () => {
    const [broken, healthy] = [await rig.session(), await rig.session()];
    for (const session of [broken, healthy]) await insert(session, ['A fact.'], '/gone');
    const deletion = await request(broken, { namespace: '/gone' });
    await request(healthy, { namespace: '/gone' });
    const failures: string[] = [];
    const deps = parts((deletionId) => failures.push(deletionId));
    const hold = deps.recordWriter.hold.bind(deps.recordWriter);
    deps.recordWriter.hold = async (tx, tenantId, memoryId, recordId) => {
      if (memoryId === broken.memoryId) throw new Error('planted');
      return hold(tx, tenantId, memoryId, recordId);
    };
    expect(await new DeleteRequestedRecords(deps).execute()).toBe(1);
    expect(failures).toEqual([deletion.deletionId]);
    expect(await progress(broken, deletion)).toMatchObject({ status: 'running', attempts: 1, deleted: 0 });
    await rig.rows('update record_deletions set due_at = now() where finished_at is null');
    expect(await work()).toBe(1);
    expect(await progress(broken, deletion)).toMatchObject({ status: 'finished', attempts: 0, deleted: 1 });
  });

  it('is refused while too many requests are unfinished', async () => {
    const session = await rig.session();
    const one = await request(session, { namespace: '/none' });
    await rig.rows(
      `insert into record_deletions (deletion_id, tenant_id, memory_id, filter)
       select gen_random_uuid(), tenant_id, memory_id, filter from record_deletions, generate_series(1, 99)
        where deletion_id = $1`,
      [one.deletionId],
    );
    await expect(request(session, { namespace: '/none' })).rejects.toMatchObject({ code: 'record_deletion.too_many' });
    await rig.rows('delete from record_deletions where finished_at is null');
  });

  describe('of a deleted strategy', () => {
    const remove = (session: RigSession, records: 'keep' | 'delete') =>
      new DeleteStrategy(parts()).execute(session.tenantId, session.memoryId, session.strategyId, records);

    it('keeps its records if requested', async () => {
      const session = await rig.session();
      await extracted(session, 'I live in Hue.');
      expect(await remove(session, 'keep')).toBeNull();
      await work();
      expect(await namespaces(session)).toEqual({ '/ada': 1 });
      expect(await rig.stores.memories.strategies(session.tenantId, session.memoryId)).toEqual([]);
    });

    it('deletes its records if requested, and reads nothing more', async () => {
      const session = await rig.session();
      await extracted(session, 'I live in Hue.');
      await insert(session, ['Inserted by a caller.'], '/other');
      await rig.say(session, 'I moved to Hanoi.');
      expect(await remove(session, 'delete')).toMatchObject({ status: 'pending' });
      expect(await work()).toBe(1);
      expect(await namespaces(session)).toEqual({ '/other': 1 });
      expect(await rig.run(rig.extractor(new ScriptedModel()), session)).toEqual({ kind: 'not_due' });
      await expect(remove(session, 'delete')).rejects.toMatchObject({ code: 'strategy.not_found' });
    });

    it('does not leave the records of an extraction that commits at the same time', async () => {
      const session = await rig.session();
      await rig.say(session, 'I live in Hue.');
      const model = new ScriptedModel();
      model.answer = () => factAbout('I live in Hue.', 'm1', 'I live in Hue.');
      // The request comes first, and has to wait for the extraction's commit.
      const [requested, extracting] = [signal(), signal()];
      const deps = parts();
      const insertRequest = deps.deletions.insert.bind(deps.deletions);
      deps.deletions.insert = async (...values) => {
        const inserted = await insertRequest(...values);
        requested.resolve();
        await extracting.promise;
        return inserted;
      };
      const { tenantId, memoryId, strategyId } = session;
      const removing = new DeleteStrategy(deps).execute(tenantId, memoryId, strategyId, 'delete');
      await requested.promise;
      const recordWriter = Object.create(rig.recordWriter, {
        apply: {
          value: async (...values: Parameters<typeof rig.recordWriter.apply>) => {
            extracting.resolve();
            await rig.untilWaiting();
            return rig.recordWriter.apply(...values);
          },
        },
      }) as typeof rig.recordWriter;
      const outcome = await rig.run(rig.extractor(model, {}, { recordWriter }), session);
      expect(outcome).toMatchObject({ kind: 'extracted', records: 1 });
      await removing;
      expect(await work()).toBe(1);
      expect(await namespaces(session)).toEqual({});
    });
  });
});
