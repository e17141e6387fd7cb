import { randomUUID } from 'node:crypto';
import type { RecordFilter } from '@turnkeeper/application';
import type { ExtractedRecord } from '@turnkeeper/domain';
import { eventually, rowsReadBySteps, type ExplainedRow } from '@turnkeeper/testing';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ANY, NAMESPACE, RecordWork } from '../../testing/record-work.js';
import { PgRecordReader } from './record-reader.js';

/** Backends of this database that wait for an advisory lock. */
const WAITING = `select 1 from pg_locks l join pg_database d on d.oid = l.database
  where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`;

describe('records', () => {
  const work = new RecordWork();
  const { source, record, apply, list, found, known } = work;
  beforeAll(work.start);
  afterAll(work.close);
  beforeEach(work.newMemory);

  it('are listed as extracted, with their sources, newest first', async () => {
    const tea = record('Likes tea.', {
      sources: [source('I like tea', 4), source('tea!', 2, 'assistant')],
      eventTime: { from: '2026-01-05', to: null },
      category: 'preference',
      subject: 'Linh',
      attribute: { name: 'drink', value: 'tea', single: false },
      strength: 'weak',
      data: { drinks: [{ name: 'tea', cups: 2 }] },
      doubts: ['name_not_in_source'],
    });
    const event = await apply({ records: [tea], model: 'gpt' });
    await apply({ records: [record('Lives in Hue.')] });
    const [newest, oldest] = await list();
    expect(newest?.text).toBe('Lives in Hue.');
    expect(oldest).toEqual({
      recordId: tea.recordId,
      memoryId: work.memoryId,
      namespace: NAMESPACE,
      strategyId: event.data.strategyId,
      strategyVersion: 3,
      text: 'Likes tea.',
      extractor: 'offline-rules@1',
      model: 'gpt',
      saidAt: tea.statedAt,
      eventTime: { from: '2026-01-05', to: null },
      createdAt: event.recordedAt,
      updatedAt: event.recordedAt,
      category: 'preference',
      subject: 'Linh',
      attribute: { name: 'drink', value: 'tea', single: false },
      strength: 'weak',
      data: { drinks: [{ name: 'tea', cups: 2 }] },
      doubts: ['name_not_in_source'],
      timesSeen: 1,
      sources: [...tea.sources].sort((a, b) => a.sequence - b.sequence),
      supersededBy: null,
      validTo: null,
    });
    expect(await work.reader.newest(work.tenantId, work.memoryId, NAMESPACE, 1)).toHaveLength(1);
  });

  it('are read by when they were said, not by when they were extracted', async () => {
    const said = (text: string, day: string) => record(text, { statedAt: `2026-02-${day}T00:00:00.000Z` });
    // As after an import of old conversations.
    await apply({ records: [said('Likes tea.', '03')] });
    await apply({ records: [said('Has a cat.', '01'), { ...said('Lives in Hue.', '02'), namespace: '/other' }] });
    expect((await list()).map(({ text }) => text)).toEqual(['Likes tea.', 'Has a cat.']);
    const ofActor = async (limit: number, actorId = 'ada') =>
      (await work.reader.newestOfActor(work.tenantId, work.memoryId, actorId, limit)).map(({ text }) => text);
    expect(await ofActor(9)).toEqual(['Likes tea.', 'Lives in Hue.', 'Has a cat.']);
    expect(await ofActor(2)).toEqual(['Likes tea.', 'Lives in Hue.']);
    expect(await ofActor(9, 'bob')).toEqual([]);
    expect(await work.reader.newestOfActor(randomUUID(), work.memoryId, 'ada', 9)).toEqual([]);
  });

  it('are listed by what they state, and no longer once their text is corrected', async () => {
    const { reader, tenantId, memoryId } = work;
    const stating = (value: string, more: Partial<ExtractedRecord> = {}) =>
      record(`Said: "${value}"`, { attribute: { name: 'plan', value, single: true }, category: 'fact', ...more });
    const old = stating('basic');
    const current = stating('gold', { data: { plan: 'gold' } });
    await apply({ records: [old, record('Likes tea.', { category: 'preference' })] });
    await apply({ records: [current], superseded: [{ recordId: old.recordId, by: current.recordId }] });
    const listed = async (filter: Partial<RecordFilter>) =>
      (await reader.list(tenantId, memoryId, { includeSuperseded: false, limit: 9, ...filter })).map(
        ({ text }) => text,
      );
    expect(await listed({ attribute: 'plan' })).toEqual(['Said: "gold"']);
    expect(await listed({ attribute: 'plan', includeSuperseded: true })).toHaveLength(2);
    expect(await listed({ category: 'preference' })).toEqual(['Likes tea.']);
    const stated = async (actorId = 'ada') =>
      (await reader.attributesOfActor(tenantId, memoryId, actorId, 9)).map(({ attribute }) => attribute?.value);
    expect(await stated()).toEqual(['gold']);
    expect(await stated('bob')).toEqual([]);
    await work.database.unitOfWork.run((tx) =>
      work.writer.correct(tx, tenantId, current.recordId, 'Has no plan.', new Date().toISOString()),
    );
    expect(await stated()).toEqual([]);
    expect(await reader.find(tenantId, memoryId, current.recordId)).toMatchObject({ attribute: null, data: null });
  });

  it('are read as open states: the newest current ones of each kind, of the actor and of others', async () => {
    const state = (text: string, day: number, more: Partial<ExtractedRecord> = {}) =>
      record(text, { category: 'preference', statedAt: `2026-02-0${day}T00:00:00.000Z`, ...more });
    const old = state('Likes tea.', 1);
    const current = state('Likes no tea.', 5);
    await apply({
      records: [
        ...[old, state('Runs.', 2), state('Swims.', 3), state('Moves in May.', 2, { category: 'plan' })],
        ...[state('Ben likes tea.', 1, { subject: 'Ben' }), state('Lives in Hue.', 6, { category: 'fact' })],
        state('Elsewhere.', 7, { namespace: '/other' }),
      ],
    });
    await apply({ records: [current], superseded: [{ recordId: old.recordId, by: current.recordId }] });
    const { reader, tenantId, memoryId } = work;
    const states = await reader.statesOfActor(tenantId, memoryId, 'ada', NAMESPACE, { actor: 2, others: 1 });
    expect(states.map(({ text }) => text)).toEqual(['Likes no tea.', 'Moves in May.', 'Ben likes tea.', 'Swims.']);
    expect(await reader.statesOfActor(tenantId, memoryId, 'bob', NAMESPACE, { actor: 2, others: 1 })).toEqual([]);
  });

  it('that took the place of superseded ones are found by the events of these', async () => {
    const { reader, tenantId, memoryId } = work;
    const plan = (value: string, at: number) =>
      record(`Said: "${value}"`, {
        attribute: { name: 'plan', value, single: true },
        sources: [source(value, at), { ...source('And now?', at + 1), context: true }],
      });
    const [basic, silver, gold] = [plan('basic', 1), plan('silver', 3), plan('gold', 5)];
    await apply({ records: [basic, record('Likes tea.')] });
    await apply({ records: [silver], superseded: [{ recordId: basic.recordId, by: silver.recordId }] });
    await apply({ records: [gold], superseded: [{ recordId: silver.recordId, by: gold.recordId }] });
    const found = async (namespaces: readonly string[], tenant = tenantId) => {
      const events = [basic, silver, gold].flatMap(({ sources }) => sources.map(({ eventId }) => eventId));
      const successors = await reader.successors(tenant, memoryId, namespaces, events);
      return [...successors].map(([eventId, list]) => [eventId, list.map(({ attribute }) => attribute?.value)]);
    };
    const statement = ({ sources }: ExtractedRecord) => sources[0]?.eventId;
    expect(new Map((await found([NAMESPACE])) as [string, string[]][])).toEqual(
      new Map([
        [statement(basic), ['gold']],
        [statement(silver), ['gold']],
      ]),
    );
    expect(await found(['/other'])).toEqual([]);
    expect(await found([NAMESPACE], randomUUID())).toEqual([]);
  });

  it('are read in the order of an index, however many there are', async () => {
    await work.database.dataSource.query(
      `insert into records (record_id, tenant_id, memory_id, actor_id, namespace, text, fact_key, extractor, event_id,
         created_at, updated_at, stated_at)
       select gen_random_uuid(), $1, $2, 'ada', '/many', 'Sails on day ' || n, n::text, 'offline-rules@1', gen_random_uuid(),
         now() - n * interval '1 second', now(), now() + n * interval '1 second'
       from generate_series(1, 3000) n`,
      [work.tenantId, work.memoryId],
    );
    await work.database.dataSource.query('analyze records');
    const rows: number[] = [];
    const query = async (text: string, values: unknown[]): Promise<unknown> => {
      const [explained] = await work.database.rows<ExplainedRow>(`explain (analyze, format json) ${text}`, values);
      rows.push(Math.max(...rowsReadBySteps(explained!)));
      return work.database.rows(text, values);
    };
    const measuring = new PgRecordReader({ manager: { query } } as unknown as DataSource);
    for (const newest of [
      await measuring.newest(work.tenantId, work.memoryId, '/many', 20),
      await measuring.newestOfActor(work.tenantId, work.memoryId, 'ada', 20),
    ]) {
      expect(newest[0]?.text).toBe('Sails on day 3000');
    }
    expect(rows).toEqual([20, 20]);
  });

  it('gain each source once when a fact is restated', async () => {
    const tea = record('Likes tea.');
    await apply({ records: [tea] });
    const more = source('tea, please', 12);
    const confirmation = {
      recordId: tea.recordId,
      sources: [...tea.sources, more],
      statedAt: '2026-02-01T00:00:00.000Z',
    };
    const { recordedAt } = await apply({ confirmed: [confirmation] });
    expect(await list()).toMatchObject([{ updatedAt: recordedAt, sources: [...tea.sources, more] }]);
    expect(await known(['likes TEA'])).toMatchObject([
      { recordId: tea.recordId, statedAt: '2026-02-01T00:00:00.000Z' },
    ]);
    await apply({ confirmed: [{ ...confirmation, statedAt: '2025-01-01T00:00:00.000Z' }] });
    expect(await known(['likes TEA'])).toMatchObject([{ statedAt: '2026-02-01T00:00:00.000Z' }]);
  });

  it('are identified by their fact or slot value, within their namespace', async () => {
    const home = record('Lives in Hue.', { slot: { key: 'user|home', value: 'hue' } });
    const said = record('Likes tea.', { sources: [source('You like tea', 1, 'assistant')] });
    await apply({ records: [home, said, record('Likes tea.', { namespace: '/grace' })] });
    expect(await known(['LIKES tea!', 'never heard'])).toEqual([
      { recordId: said.recordId, text: 'Likes tea.', statedAt: said.statedAt, slot: null, eventTime: null },
    ]);
    expect(await known([], ['user|home'])).toEqual([
      { recordId: home.recordId, text: 'Lives in Hue.', statedAt: home.statedAt, slot: home.slot, eventTime: null },
    ]);
    expect(await known([], [])).toEqual([]);
  });

  it('are excluded from lists, searches and known facts when superseded, but stay stored', async () => {
    const old = record('Lives in Hue.');
    await apply({ records: [old] });
    const next = record('Lives in Porto.', { statedAt: '2026-03-01T00:00:00.000Z' });
    await apply({ records: [next], superseded: [{ recordId: old.recordId, by: next.recordId }] });
    expect((await list()).map(({ text }) => text)).toEqual(['Lives in Porto.']);
    expect(await found('hue')).toEqual([]);
    expect(await known(['Lives in Hue.'])).toEqual([]);
    const kept = await work.database.rows('select text, superseded_by, valid_to from records where record_id = $1', [
      old.recordId,
    ]);
    expect(kept).toEqual([{ text: 'Lives in Hue.', superseded_by: next.recordId, valid_to: new Date(next.statedAt) }]);
    await apply({ records: [record('Lives in Hue.')] }); // moved back: the fact may be stated again
    expect(await found('hue')).toEqual(['Lives in Hue.']);
  });

  it('store a fact once per namespace, whatever adds it', async () => {
    await apply({ records: [record('Likes tea.')] });
    await expect(apply({ records: [record('likes TEA')] })).rejects.toThrow(/records_by_fact/);
    expect(await list()).toHaveLength(1);
    await apply({ records: [record('Likes tea.', { namespace: '/grace' })] });
    await apply({ records: [record('Likes tea.')] }, { memoryId: randomUUID() });
  });

  it('are added to a namespace by one transaction at a time', async () => {
    const order: string[] = [];
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const first = work.database.unitOfWork.run(async (tx) => {
      await work.writer.lockNamespace(tx, work.memoryId, NAMESPACE);
      order.push('first');
      await released;
      order.push('first done');
    });
    const other = work.database.unitOfWork.run((tx) => work.writer.lockNamespace(tx, work.memoryId, '/grace'));
    await other; // another namespace is not blocked
    const second = work.database.unitOfWork.run(async (tx) => {
      await work.writer.lockNamespace(tx, work.memoryId, NAMESPACE);
      order.push('second');
    });
    await eventually(async () => (await work.database.rows(WAITING)).length === 1, { what: 'the second one waits' });
    release();
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'first done', 'second']);
  });

  it('are isolated per tenant', async () => {
    await apply({ records: [record('Likes tea.')] });
    const stranger = randomUUID();
    expect(await work.reader.newest(stranger, work.memoryId, NAMESPACE, 100)).toEqual([]);
    expect(await work.reader.search(stranger, work.memoryId, NAMESPACE, { ...ANY, text: 'tea' })).toEqual([]);
    expect(await found('tea', {}, '/ad')).toEqual([]);
    expect(await found('tea', {}, '/ada/')).toEqual([]);
    expect(await found('tea', {}, '/ADA')).toEqual([]);
  });
});
