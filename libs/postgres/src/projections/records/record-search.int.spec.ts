import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ANY, NAMESPACE, RecordWork } from '../../testing/record-work.js';

describe('records', () => {
  const work = new RecordWork();
  const { source, record, apply, search, found } = work;
  beforeAll(work.start);
  afterAll(work.close);
  beforeEach(work.newMemory);

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
      const ranking = { turns, weight: Math.SQRT2, scopeTurns: 600, comparedMeaning: false };
      const about = () => Promise.resolve({ speakers: [], rank: () => Promise.resolve(ranking) });
      const hits = await work.reader.search(work.tenantId, work.memoryId, NAMESPACE, {
        ...ANY,
        text: 'bookkeeper',
        turns: about,
      });
      expect(hits.map(({ text }) => text)).toEqual([expect.anything(), 'Repairs nets.', expect.anything()]);
      // They lead to it. Neither a word nor a topic of the question is in it, so it is no answer.
      expect(hits[0]?.score).toBe(0.49);
      expect(hits[0]?.foundBy).toEqual({ words: 0, meaning: null, turns: expect.closeTo(0.6, 0) });
      expect(
        await work.reader.search(randomUUID(), work.memoryId, NAMESPACE, { ...ANY, text: 'bookkeeper', turns: about }),
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
      const ranking = { turns, weight: Math.SQRT2, scopeTurns: 600, comparedMeaning: false };
      const about = () => Promise.resolve({ speakers: ['ann', 'bea'], rank: () => Promise.resolve(ranking) });
      const first = async (text: string, limit = 10) =>
        (await work.reader.search(work.tenantId, work.memoryId, NAMESPACE, { ...ANY, limit, text, turns: about }))[0]
          ?.text;
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

    it('finds a record by misspelt words', async () => {
      await apply({ records: [record('Has a golden retriever.', { namespace: '/pets', sources: [] })] });
      expect(await search('goldn retreiver', { scoreThreshold: 0.5 }, '/pets')).toHaveLength(1);
      expect(await found('quokka retreat', {}, '/pets')).toEqual([]);
    });

    it('finds a record by misspelt words that is none of the newest', async () => {
      const others = Array.from({ length: 60 }, (_, n) => `Owns house number ${n}.`);
      for (const texts of [['Has a golden retriever.'], others])
        await apply({ records: texts.map((text) => record(text, { namespace: '/pets', sources: [] })) });
      expect(await found('goldn retreiver', {}, '/pets')).toEqual(['Has a golden retriever.']);
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
      await work.database.dataSource.query(
        `insert into records (record_id, tenant_id, memory_id, namespace, text, fact_key, extractor, event_id, created_at,
           updated_at, stated_at)
         select gen_random_uuid(), $1, $2, '/many', case when n % 3 = 0 then 'Sails on day ' else 'Drinks tea on day ' end || n,
           n::text, 'offline-rules@1', gen_random_uuid(), now() + n * interval '1 second', now(), now()
         from generate_series(1, 2700) n`,
        [work.tenantId, work.memoryId],
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
        work.database.dataSource.query(
          `insert into records (record_id, tenant_id, memory_id, namespace, text, fact_key, extractor, event_id, created_at,
             updated_at, stated_at)
           select gen_random_uuid(), $1, $2, '/many', ${texts}, n::text, 'offline-rules@1', gen_random_uuid(),
             now() + n * interval '1 second', now(), now()
           from generate_series($3::integer, $4::integer) n`,
          [work.tenantId, work.memoryId, from, to],
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
        const [common] = await work.database.rows<{ own: number }>(
          `select weights[1] / whole as own from find_record_words($1, $2, '/many', $3, '', false, 400)`,
          [work.tenantId, work.memoryId, `tea ocelot ${FILLERS}`],
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
