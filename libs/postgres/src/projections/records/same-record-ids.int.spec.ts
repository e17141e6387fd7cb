import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NAMESPACE, RecordWork } from '../../testing/record-work.js';
import { recordSnapshot } from '../../testing/record-snapshot.js';

const STAMP = '2026-01-01T00:00:00.000Z';

describe('two tenants with the same record ids', () => {
  const work = new RecordWork();
  const { apply, record } = work;
  beforeAll(work.start);
  afterAll(work.close);
  beforeEach(work.newMemory);

  /** Stores the records as an import of another tenant does, with the same sources. */
  const importElsewhere = async (records: readonly ReturnType<typeof record>[]) => {
    const elsewhere = { tenantId: randomUUID(), memoryId: randomUUID() };
    const snapshots = records.map(({ recordId, sources }, index) =>
      recordSnapshot(STAMP, { recordId, sources, namespace: NAMESPACE, text: `Imported ${index}.` }),
    );
    await work.database.unitOfWork.run((tx) =>
      work.writer.save(tx, { ...elsewhere, eventId: randomUUID(), sessionKey: null }, snapshots),
    );
    const texts = async () =>
      (await work.reader.newest(elsewhere.tenantId, elsewhere.memoryId, NAMESPACE, 100)).map(({ text }) => text).sort();
    return { ...elsewhere, texts };
  };
  const texts = async () => (await work.list()).map(({ text }) => text).sort();

  it('both keep theirs if one imports the ids before the other extracts them', async () => {
    const [tea, hue] = [record('Likes tea.'), record('Lives in Hue.')];
    const other = await importElsewhere([tea, hue]);
    await apply({ records: [tea, hue] });
    expect(await texts()).toEqual(['Likes tea.', 'Lives in Hue.']);
    expect(await other.texts()).toEqual(['Imported 0.', 'Imported 1.']);
    expect((await work.list()).map(({ sources }) => sources.length)).toEqual([1, 1]);
    expect(await work.found('tea Hue')).toEqual(expect.arrayContaining(['Likes tea.', 'Lives in Hue.']));
  });

  it('both keep theirs through confirmation, supersession, removal and a look at the lineage', async () => {
    const [old, now] = [record('Lives in Hanoi.'), record('Lives in Hue.')];
    await apply({ records: [old] });
    const other = await importElsewhere([old, now]);
    const again = work.source('Hanoi it is.', 2);
    await apply({ confirmed: [{ recordId: old.recordId, sources: [again], statedAt: STAMP }] });
    await apply({ records: [now], superseded: [{ recordId: old.recordId, by: now.recordId }] });
    expect(await texts()).toEqual(['Lives in Hue.']);
    const lineage = await work.reader.lineage(work.tenantId, work.memoryId, now.recordId);
    expect(lineage?.supersedes.map(({ text }) => text)).toEqual(['Lives in Hanoi.']);
    expect(lineage?.places).toHaveLength(1);
    expect(await other.texts()).toEqual(['Imported 0.', 'Imported 1.']);

    const erased = await work.database.unitOfWork.run((tx) =>
      work.writer.withdraw(tx, other.tenantId, [old.recordId, now.recordId]),
    );
    expect(erased.withdrawn).toHaveLength(2);
    expect(await other.texts()).toEqual([]);
    expect(await texts()).toEqual(['Lives in Hue.']);
    expect((await work.list())[0]!.sources).toHaveLength(1);
  });

  it('a record whose last source is erased goes, though another tenant has it with a source', async () => {
    const tea = record('Likes tea.');
    await apply({ records: [tea] });
    const other = await importElsewhere([{ ...tea, sources: [work.source('Tea!')] }]);
    const { withdrawn } = await work.database.unitOfWork.run((tx) =>
      work.writer.eraseEvent(tx, work.tenantId, tea.sources[0]!.eventId),
    );
    expect(withdrawn).toEqual([tea.recordId]);
    expect(await texts()).toEqual([]);
    expect(await other.texts()).toEqual(['Imported 0.']);
  });
});

it('every function of the schema reads records and sources by id within one tenant', async () => {
  const work = new RecordWork();
  await work.start();
  try {
    const functions = await work.database.rows<{ proname: string; prosrc: string }>(
      `select proname, prosrc from pg_proc where pronamespace = current_schema()::regnamespace
          and prosrc ~ 'from (records|record_sources) \\w+\\s+where \\w+\\.record_id ='`,
    );
    expect(functions.map(({ proname }) => proname)).toContain('find_citing_records');
    const reads = functions.flatMap(({ proname, prosrc }) =>
      [...prosrc.matchAll(/from (?:records|record_sources) (\w+)\s+where \1\.record_id = .*/g)].map(
        ([read, alias]) => [proname, read, alias!] as const,
      ),
    );
    expect(reads.length).toBeGreaterThanOrEqual(functions.length);
    expect(reads.filter(([, read, alias]) => !read.includes(`${alias}.tenant_id = `))).toEqual([]);
  } finally {
    await work.close();
  }
});
