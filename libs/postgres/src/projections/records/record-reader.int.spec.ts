import { randomUUID } from 'node:crypto';
import { factKey, type ExtractedRecord, type LogEvent, type RecordsExtracted } from '@turnkeeper/domain';
import { eventually, rowsReadBySteps, type ExplainedRow } from '@turnkeeper/testing';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ReadModelDatabase } from '../../testing/read-model-database.js';
import { PgRecordReader } from './record-reader.js';
import { PgRecordWriter } from './record-writer.js';

const NAMESPACE = '/ada';
const ANY = { limit: 100, scoreThreshold: 0 };

/** Backends of this database that wait for an advisory lock. */
const WAITING = `select 1 from pg_locks l join pg_database d on d.oid = l.database
  where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`;

describe('records', () => {
  let database: ReadModelDatabase;
  let reader: PgRecordReader;
  const writer = new PgRecordWriter();
  let tenantId: string;
  let memoryId: string;
  let clock = Date.parse('2026-01-01T00:00:00Z');
  beforeAll(async () => {
    database = await ReadModelDatabase.create();
    reader = new PgRecordReader(database.dataSource);
  });
  afterAll(() => database?.close());
  beforeEach(() => {
    tenantId = randomUUID();
    memoryId = randomUUID();
  });

  const source = (quote: string, sequence = 1, role = 'user') => ({ eventId: randomUUID(), sequence, role, quote });
  const record = (text: string, more: Partial<ExtractedRecord> = {}): ExtractedRecord => ({
    recordId: randomUUID(),
    text,
    namespace: NAMESPACE,
    sources: [source(text)],
    statedAt: '2026-01-01T00:00:00.000Z',
    slot: null,
    ...more,
  });
  /** Projects one extraction, a minute after the previous one. */
  const apply = (data: Partial<RecordsExtracted>, scope: { tenantId?: string; memoryId?: string } = {}) => {
    const event: Omit<LogEvent<'records.extracted'>, 'position'> = {
      ...{ tenantId, memoryId, actorId: 'ada', sessionId: 'thread', sessionKey: 7, ...scope },
      ...{ eventId: randomUUID(), type: 'records.extracted', schemaVersion: 1, sequence: null },
      ...{ occurredAt: null, expiresAt: null, recordedAt: new Date((clock += 60_000)).toISOString() },
      data: {
        ...{ strategyId: randomUUID(), strategyVersion: 3, fromSequence: 1, toSequence: 9 },
        ...{ extractor: 'offline-rules@1', model: null, promptHash: 'abc', rawAnswer: '' },
        ...{ records: [], confirmed: [], superseded: [], refused: [] },
        ...data,
      },
    };
    return database.unitOfWork.run(async (tx) => {
      await writer.apply(tx, event);
      return event;
    });
  };
  const list = (namespace = NAMESPACE) => reader.newest(tenantId, memoryId, namespace, 100);
  const search = async (text: string, query: Partial<typeof ANY> = {}, namespace = NAMESPACE) =>
    (await reader.search(tenantId, memoryId, namespace, { ...ANY, ...query, text })).map(
      (hit) => [hit.text, hit.score] as const,
    );
  const found = async (...query: Parameters<typeof search>) => (await search(...query)).map(([text]) => text);
  const known = (texts: readonly string[], slotKeys: readonly string[] = []) =>
    database.unitOfWork.run((tx) => writer.known(tx, memoryId, NAMESPACE, { factKeys: texts.map(factKey), slotKeys }));

  it('are listed as extracted, with their sources, newest first', async () => {
    const tea = record('Likes tea.', {
      sources: [source('I like tea', 4), source('tea!', 2, 'assistant')],
      eventTime: { from: '2026-01-05', to: null },
    });
    const event = await apply({ records: [tea], model: 'gpt' });
    await apply({ records: [record('Lives in Hue.')] });
    const [newest, oldest] = await list();
    expect(newest?.text).toBe('Lives in Hue.');
    expect(oldest).toEqual({
      recordId: tea.recordId,
      memoryId,
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
      strength: null,
      timesSeen: 1,
      sources: [...tea.sources].sort((a, b) => a.sequence - b.sequence),
      supersededBy: null,
      validTo: null,
    });
    expect(await reader.newest(tenantId, memoryId, NAMESPACE, 1)).toHaveLength(1);
  });

  it('are read by when they were said, not by when they were extracted', async () => {
    const said = (text: string, day: string) => record(text, { statedAt: `2026-02-${day}T00:00:00.000Z` });
    // As after an import of old conversations.
    await apply({ records: [said('Likes tea.', '03')] });
    await apply({ records: [said('Has a cat.', '01'), { ...said('Lives in Hue.', '02'), namespace: '/other' }] });
    expect((await list()).map(({ text }) => text)).toEqual(['Likes tea.', 'Has a cat.']);
    const ofActor = async (limit: number, actorId = 'ada') =>
      (await reader.newestOfActor(tenantId, memoryId, actorId, limit)).map(({ text }) => text);
    expect(await ofActor(9)).toEqual(['Likes tea.', 'Lives in Hue.', 'Has a cat.']);
    expect(await ofActor(2)).toEqual(['Likes tea.', 'Lives in Hue.']);
    expect(await ofActor(9, 'bob')).toEqual([]);
    expect(await reader.newestOfActor(randomUUID(), memoryId, 'ada', 9)).toEqual([]);
  });

  it('are read in the order of an index, however many there are', async () => {
    await database.dataSource.query(
      `insert into records (record_id, tenant_id, memory_id, actor_id, namespace, text, fact_key, extractor, event_id,
         created_at, updated_at, stated_at)
       select gen_random_uuid(), $1, $2, 'ada', '/many', 'Sails on day ' || n, n::text, 'offline-rules@1', gen_random_uuid(),
         now() - n * interval '1 second', now(), now() + n * interval '1 second'
       from generate_series(1, 3000) n`,
      [tenantId, memoryId],
    );
    await database.dataSource.query('analyze records');
    const rows: number[] = [];
    const query = async (text: string, values: unknown[]): Promise<unknown> => {
      const [explained] = await database.rows<ExplainedRow>(`explain (analyze, format json) ${text}`, values);
      rows.push(Math.max(...rowsReadBySteps(explained!)));
      return database.rows(text, values);
    };
    const measuring = new PgRecordReader({ manager: { query } } as unknown as DataSource);
    for (const newest of [
      await measuring.newest(tenantId, memoryId, '/many', 20),
      await measuring.newestOfActor(tenantId, memoryId, 'ada', 20),
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
      { recordId: said.recordId, text: 'Likes tea.', statedAt: said.statedAt, slot: null, saidByUser: false },
    ]);
    expect(await known([], ['user|home'])).toEqual([
      { recordId: home.recordId, text: 'Lives in Hue.', statedAt: home.statedAt, slot: home.slot, saidByUser: true },
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
    const kept = await database.rows('select text, superseded_by, valid_to from records where record_id = $1', [
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
    const first = database.unitOfWork.run(async (tx) => {
      await writer.lockNamespace(tx, memoryId, NAMESPACE);
      order.push('first');
      await released;
      order.push('first done');
    });
    const other = database.unitOfWork.run((tx) => writer.lockNamespace(tx, memoryId, '/grace'));
    await other; // another namespace is not blocked
    const second = database.unitOfWork.run(async (tx) => {
      await writer.lockNamespace(tx, memoryId, NAMESPACE);
      order.push('second');
    });
    await eventually(async () => (await database.rows(WAITING)).length === 1, { what: 'the second one waits' });
    release();
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'first done', 'second']);
  });

  it('are isolated per tenant', async () => {
    await apply({ records: [record('Likes tea.')] });
    const stranger = randomUUID();
    expect(await reader.newest(stranger, memoryId, NAMESPACE, 100)).toEqual([]);
    expect(await reader.search(stranger, memoryId, NAMESPACE, { ...ANY, text: 'tea' })).toEqual([]);
    expect(await found('tea', {}, '/ad')).toEqual([]);
    expect(await found('tea', {}, '/ada/')).toEqual([]);
    expect(await found('tea', {}, '/ADA')).toEqual([]);
  });

  describe('search', () => {
    beforeEach(() =>
      apply({
        records: [
          'Likes green tea.',
          'Likes coffee with milk.',
          'Likes long walks.',
          'Is allergic to peanuts.',
          'Plays the cello in an orchestra.',
        ].map((text) => record(text)),
      }),
    );

    it('ranks by the share of the query words in a record', async () => {
      const hits = await search('green tea with milk');
      expect(hits.map(([text]) => text)).toEqual(['Likes green tea.', 'Likes coffee with milk.']);
      const [[, best], [, second]] = hits as [readonly [string, number], readonly [string, number]];
      expect(best).toBeGreaterThan(second);
    });

    it('gives rare words more weight than common ones', async () => {
      expect((await found('likes peanuts'))[0]).toBe('Is allergic to peanuts.');
    });

    it('scores between 0 and 1, near 1 for a record that contains every one of several words', async () => {
      const hits = await search('likes green tea');
      expect(hits[0]).toEqual(['Likes green tea.', expect.closeTo(1, 1)]);
      expect((await search('peanuts'))[0]).toEqual(['Is allergic to peanuts.', 0.8]);
      for (const [, score] of hits) expect(score > 0 && score <= 1).toBe(true);
    });

    it('counts a repeated word once', async () => {
      await apply({ records: [record('Tea, tea, tea, tea and tea.')] });
      const scores = new Map(await search('green tea'));
      expect(scores.get('Likes green tea.')).toBeCloseTo(0.96);
      expect(scores.get('Tea, tea, tea, tea and tea.')).toBeLessThan(0.5);
    });

    it('gives unknown words the weight of the rarest known word', async () => {
      const [[text, score]] = (await search('peanuts, and zebras')) as [readonly [string, number]];
      expect(text).toBe('Is allergic to peanuts.');
      expect(score).toBeCloseTo(0.5 ** 2);
    });

    it('finds records by the turns they rest on, one record of each turn first', async () => {
      const tide = record('Watches the tide.', { sources: [source('the tide', 31)] });
      const again = record('Has a boat.', { sources: [source('the tide', 31)] });
      const other = record('Repairs nets.', { sources: [source('nets', 32)] });
      await apply({ records: [tide, again, other] });
      const turns = [
        { sessionKey: 7, sequence: 31, raw: 0.9 },
        { sessionKey: 7, sequence: 32, raw: 0.8 },
      ];
      const ranking = { turns, weight: Math.SQRT2, comparedMeaning: false };
      const about = { speakers: [], rank: () => Promise.resolve(ranking) };
      const hits = await reader.search(tenantId, memoryId, NAMESPACE, { ...ANY, text: 'fisherman', turns: about });
      expect(hits.map(({ text }) => text)).toEqual([expect.anything(), 'Repairs nets.', expect.anything()]);
      expect(hits[0]?.score).toBeGreaterThan(0.5);
      expect(
        await reader.search(randomUUID(), memoryId, NAMESPACE, { ...ANY, text: 'fisherman', turns: about }),
      ).toEqual([]);
    });

    it('takes "my mother" for the mother of the one who asks', async () => {
      const mine = record("Ann's mother Greta retired from the post office in Malmo.", { sources: [source('…', 41)] });
      const hers = record("Bea's mother works as a florist in Turin.", { sources: [source('…', 42, 'assistant')] });
      await apply({ records: [mine, hers] });
      const turns = [
        { sessionKey: 7, sequence: 41, raw: 0.6 },
        { sessionKey: 7, sequence: 42, raw: 0.9 },
      ];
      const ranking = { turns, weight: Math.SQRT2, comparedMeaning: false };
      const about = { speakers: ['ann', 'bea'], rank: () => Promise.resolve(ranking) };
      const first = async (text: string, limit = 10) =>
        (await reader.search(tenantId, memoryId, NAMESPACE, { ...ANY, limit, text, turns: about }))[0]?.text;
      expect(await first('Where does my mother work?', 1)).toBe(mine.text);
      expect(await first('Where does your mother work?', 1)).toBe(hers.text);
      expect(await first('Where does a mother work?', 1)).toBe(hers.text);
    });

    it('ignores the names of record subjects unless the query has no other words', async () => {
      await apply({ records: ['User has a parrot.', 'User owns a kite.'].map((text) => record(text)) });
      expect(await found('what does the user drink?')).toEqual([]);
      expect(await found('does the user have a parrot?')).toEqual(['User has a parrot.']);
      expect(await found('user')).toHaveLength(2);
    });

    it('scores both records of AgentBase’s sample above 0.5 for its query', async () => {
      const texts = [
        'Customer prefers delivery to office address',
        'Customer has complained about delayed shipments twice',
      ];
      await apply({ records: texts.map((text) => record(text, { namespace: '/guide', sources: [] })) });
      const hits = await search('customer shipping preferences', { scoreThreshold: 0.5 }, '/guide');
      expect(hits.map(([text]) => text).sort()).toEqual([...texts].sort());
    });

    it('finds other forms of a word', async () => {
      expect(await found('walking')).toEqual(['Likes long walks.']);
      expect(await found('who played in orchestras?')).toEqual(['Plays the cello in an orchestra.']);
    });

    it('applies the minimum score and the limit, best first', async () => {
      const all = await search('likes green tea');
      expect(all).toHaveLength(3);
      expect(await search('likes green tea', { scoreThreshold: 0.9 })).toEqual(all.slice(0, 1));
      expect(await search('likes green tea', { scoreThreshold: 1 })).toEqual([]);
      expect(await search('likes green tea', { limit: 2 })).toEqual(all.slice(0, 2));
    });

    it('breaks ties by newest first', async () => {
      await apply({ records: [record('Likes tall ships.')] });
      expect((await found('likes'))[0]).toBe('Likes tall ships.');
    });

    it.each([
      ['words without meaning', 'the of and is'],
      ['nothing that is here', 'quantum chromodynamics'],
      ['no word at all', '?! … 🌊'],
      ['operators', "':* & | ! <-> ("],
      ['SQL', `'; drop table records; --`],
    ])('finds nothing for %s', async (_, text) => {
      expect(await search(text)).toEqual([]);
    });

    it('reads no more than 10 words of a query, the rarest ones', async () => {
      await apply({ records: [record('Likes tall velociraptors and time.')] });
      const others = Array.from({ length: 16 }, (_, n) => `filler${n}`);
      expect(await found(['velociraptors', ...others].join(' '))).toEqual(['Likes tall velociraptors and time.']);
      expect(await found(['time', ...others].join(' '))).toEqual([]);
    });

    it('counts words of most records in a namespace of thousands', async () => {
      await database.dataSource.query(
        `insert into records (record_id, tenant_id, memory_id, namespace, text, fact_key, extractor, event_id, created_at,
           updated_at, stated_at)
         select gen_random_uuid(), $1, $2, '/many', case when n % 3 = 0 then 'Sails on day ' else 'Drinks tea on day ' end || n,
           n::text, 'offline-rules@1', gen_random_uuid(), now() + n * interval '1 second', now(), now()
         from generate_series(1, 2700) n`,
        [tenantId, memoryId],
      );
      expect(await found('tea', { limit: 3 }, '/many')).toHaveLength(3);
      const both = await found('tea sails', { limit: 1_000 }, '/many');
      expect(both.filter((text) => text.startsWith('Drinks tea')).length).toBeGreaterThan(0);
    });

    describe('of words of more records than are read', () => {
      const COMMON = 'tea sails';
      /** Uses up the number of words in a query, by which the number of records that are read per word is divided. */
      const FILLERS = Array.from({ length: 8 }, (_, n) => `filler${n}`).join(' ');
      const TEA_OR_JUICE = `case when n % 2 = 0 then 'Drinks tea on day ' else 'Drinks juice on day ' end || n`;
      const insert = (texts: string, from: number, to: number) =>
        database.dataSource.query(
          `insert into records (record_id, tenant_id, memory_id, namespace, text, fact_key, extractor, event_id, created_at,
             updated_at, stated_at)
           select gen_random_uuid(), $1, $2, '/many', ${texts}, n::text, 'offline-rules@1', gen_random_uuid(),
             now() + n * interval '1 second', now(), now()
           from generate_series($3::integer, $4::integer) n`,
          [tenantId, memoryId, from, to],
        );

      it('finds the newest ones', async () => {
        await insert(`'Drinks tea on day ' || n`, 1, 3_000);
        await insert(`'Drinks tea and sails on day ' || n`, 3_001, 3_002);
        await insert(`'Drinks juice on day ' || n`, 3_003, 3_400);
        expect(await found(`${COMMON} ${FILLERS}`, { limit: 3 }, '/many')).toEqual([
          'Drinks tea and sails on day 3002',
          'Drinks tea and sails on day 3001',
          'Drinks tea on day 3000',
        ]);
      });

      it('counts such a word of a record that another word finds', async () => {
        await insert(TEA_OR_JUICE, 1, 2_400);
        await insert(`'Drinks tea with an ocelot on day ' || n`, 2_401, 2_401);
        await insert(`'Met an ocelot and a heron on day ' || n`, 2_402, 2_402);
        await insert(TEA_OR_JUICE, 2_403, 3_400);
        expect((await found(`tea ocelot ${FILLERS}`, { limit: 2 }, '/many'))[0]).toBe(
          'Drinks tea with an ocelot on day 2401',
        );
      });

      it.each([
        ['', 500],
        [' and more than are read of it', 3_300],
      ])('finds records by a word that only the newest ones have%s', async (_, having) => {
        await insert(`'Met a heron on day ' || n`, 1, 4_000 - having);
        await insert(`'Placed order ' || n`, 4_001 - having, 4_000);
        expect(await found('order refund', { limit: 2 }, '/many')).toEqual(['Placed order 4000', 'Placed order 3999']);
      });

      it.each([600, 3_300])('finds nothing by a word that each of %i records has', async (records) => {
        await insert(`'Placed order ' || n`, 1, records);
        expect(await found('order refund', { limit: 2 }, '/many')).toEqual([]);
      });

      it('weighs such a word by its share of the newest records', async () => {
        await insert(TEA_OR_JUICE, 1, 4_000);
        await insert(`'Met an ocelot on day ' || n`, 4_001, 4_001);
        const [common] = await database.rows<{ own: number }>(
          `select weights[1] / whole as own from find_record_words($1, $2, '/many', $3, '', false, 400)`,
          [tenantId, memoryId, `tea ocelot ${FILLERS}`],
        );
        const rare = Math.log(1 + (50 + 4_001 - 1 + 0.5) / 1.5);
        const half = Math.log(1 + (50 + 2_001 + 0.5) / 2_000.5);
        expect(common?.own).toBeCloseTo(half / (half + 9 * rare), 2);
      });
    });

    it('finds a record by its slot value although its words differ', async () => {
      await apply({ records: [record('Moved to Porto.', { slot: { key: 'user|home', value: 'porto' } })] });
      expect(await found('Where is home?')).toContain('Moved to Porto.');
    });
  });
});
