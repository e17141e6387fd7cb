import { randomUUID } from 'node:crypto';
import {
  HeldRecords,
  type AskedWord,
  type CitingRecord,
  type RecordByWords,
  type TurnKey,
  type WordsFound,
} from '@turnkeeper/search';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listOf } from '../../connections/database.js';
import { ReadModelDatabase } from '../../testing/read-model-database.js';
import { citingRecordsOf, wordsFoundOf, type WordsRow } from './found-rows.js';
import { FIND_ACTORS_OR_RECORDS, FIND_BY_TURNS, FIND_BY_WORDS } from './record-search.sql.js';

/** Rare words are numbered. Some of the others are forms of the same word, by its stem or by its root. */
const WORDS = {
  frequent: ['likes', 'liked', 'garden', 'weekend', 'tea'],
  usual: [
    'ship',
    'shipment',
    'history',
    'historical',
    'walk',
    'walking',
    'treats',
    'treatment',
    'orchid',
    'kayak',
  ].concat(['violin', 'glacier', 'lantern', 'pottery', 'sourdough', 'marathon', 'telescope', 'bicycle', 'harbour']),
};
const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...WORDS.frequent) },
  { weight: 5, arbitrary: fc.constantFrom(...WORDS.usual) },
  { weight: 2, arbitrary: fc.nat(300).map((n) => `rarity${n}`) },
);
const text = (minLength: number, maxLength: number) =>
  fc.noBias(fc.array(word, { minLength, maxLength }).map((words) => words.join(' ')));
/** Most name their subject. */
const subject = fc.noBias(fc.nat(99)).map((n) => (n < 96 ? 'User' : 'Neighbour'));
const turn = fc.noBias(
  fc.record({ sessionKey: fc.integer({ min: 1, max: 4 }), sequence: fc.integer({ min: 1, max: 40 }) }),
);
const drawnRecord = fc.record({
  subject,
  text: text(1, 14),
  isSuperseded: fc.noBias(fc.nat(9)).map((n) => n === 0),
  actor: fc.constantFrom('ada', 'bea', null),
  turns: fc.noBias(fc.array(turn, { maxLength: 3 })),
});
interface Query {
  readonly text: string;
  readonly subjects: string;
  readonly includeSuperseded: boolean;
  readonly most: number;
  readonly turns: readonly TurnKey[];
}
const prefix = fc.constantFrom('', '', 'user ', 'lately ', 'user unheard lately ');
const drawnQuery: fc.Arbitrary<Query> = fc.record({
  text: fc.oneof(
    { weight: 5, arbitrary: fc.tuple(prefix, text(0, 9)).map((texts) => texts.join('')) },
    { weight: 1, arbitrary: fc.constantFrom('', 'user', 'noted', 'user noted', 'noted user lately') },
  ),
  subjects: fc.constantFrom('user assistant', ''),
  includeSuperseded: fc.boolean(),
  most: fc.constantFrom(5, 100, 1_000),
  turns: fc.noBias(fc.array(turn, { maxLength: 60 })),
});

describe('records in memory', () => {
  const tenantId = randomUUID();
  const memoryId = '8f0f5ad2-5c0e-4c57-9d2c-6b1d5a3e7c11';
  let database: ReadModelDatabase;
  beforeAll(async () => {
    database = await ReadModelDatabase.create();
  });
  afterAll(() => database?.close());

  /** Three records each are created at the same time. All have one word, and only the newest three quarters another one. */
  const fill = async (namespace: string, count: number): Promise<void> => {
    const records = fc.sample(drawnRecord, { seed: 20_261_123, numRuns: count }).map((record, n) => ({
      ...record,
      n,
      text: [record.subject, 'noted', record.text, ...(n >= count / 4 ? ['lately'] : [])].join(' '),
    }));
    await database.rows(
      `insert into records (record_id, tenant_id, memory_id, namespace, text, fact_key, extractor, event_id, created_at,
         updated_at, stated_at, superseded_by, actor_id)
       select md5($3 || r.n)::uuid, $1, $2, $3, r.text, r.n::text, 'offline-rules@1', gen_random_uuid(),
         '2026-01-01T00:00:00.000007Z'::timestamptz + r.n / 3 * interval '1 second', now(), now(),
         case when r."isSuperseded" then gen_random_uuid() end, r.actor
       from json_to_recordset($4::json) r (n integer, text text, "isSuperseded" boolean, actor text)`,
      [tenantId, memoryId, namespace, JSON.stringify(records)],
    );
    // Also two quotes of one turn, and turns of an unknown session.
    await database.rows(
      `insert into record_sources (record_id, event_id, tenant_id, session_key, sequence, role, quote)
       select md5($2 || r.n)::uuid, gen_random_uuid(), $1, nullif(t."sessionKey", 4), t.sequence, 'user', q.quote
       from json_to_recordset($3::json) r (n integer, turns json)
       cross join lateral json_to_recordset(r.turns) t ("sessionKey" bigint, sequence bigint)
       cross join lateral (select n::text as quote from generate_series(0, (t.sequence % 5 = 0)::integer) n) q`,
      [tenantId, namespace, JSON.stringify(records)],
    );
  };

  const hold = async (namespace: string): Promise<HeldRecords> => {
    const rows = await database.rows<{
      record_id: string;
      created: string;
      is_superseded: boolean;
      actor_id: string | null;
      terms: string[];
      has_sources: boolean;
      sources: TurnKey[];
    }>(
      `select r.record_id, (extract(epoch from r.created_at) * 1000000)::bigint as created,
              r.superseded_by is not null as is_superseded, r.actor_id,
              array(select t & 9007199254740991 from unnest(r.terms) t) as terms,
              exists (select from record_sources s where s.record_id = r.record_id) as has_sources,
              array(select json_build_object('sessionKey', s.session_key, 'sequence', s.sequence) from record_sources s
                    where s.record_id = r.record_id and s.session_key is not null) as sources
       from records r where r.memory_id = $1 and r.namespace = $2 order by r.record_id`,
      [memoryId, namespace],
    );
    const held = new HeldRecords();
    for (const row of rows) {
      held.set({
        ...{ recordId: row.record_id, created: Number(row.created), isSuperseded: row.is_superseded },
        ...{ actorId: row.actor_id, terms: row.terms.map(Number), hasSources: row.has_sources, sources: row.sources },
      });
    }
    return held;
  };

  /** @returns the words, and whether `find_record_words` reads all their records */
  const ask = async (namespace: string, { text, subjects, includeSuperseded }: Query) => {
    const rows = await database.rows<AskedWord & { terms: string[]; exact: string; records: number }>(
      `with asked as (
         select q.word, array_agg(q.term) as terms, max(q.term) filter (where q.factor = 1) as exact,
                bool_or(q.term = any (record_terms($1, $2, $4))) as "isSubject"
         from record_query($1, $2, $3) q group by q.word
       )
       select a.word, a."isSubject", a.exact & 9007199254740991 as exact,
              array(select t & 9007199254740991 from unnest(a.terms) t) as terms,
              (select count(*) from records r where r.memory_id = $1 and r.namespace = $2 and r.terms && a.terms
                and ($5 or r.superseded_by is null))::integer as records
       from asked a order by a.word`,
      [memoryId, namespace, text, subjects, includeSuperseded],
    );
    const asked = rows.map(({ word, isSubject, exact, terms }): AskedWord => ({
      ...{ word, isSubject, exact: Number(exact), terms: terms.map(Number) },
    }));
    const searched = rows.every(({ isSubject }) => isSubject) ? rows : rows.filter(({ isSubject }) => !isSubject);
    const mostPerWord = Math.floor(4_000 / rows.length);
    return { asked, isWhole: searched.every(({ records }) => records < mostPerWord) };
  };

  const wordsBySql = async (namespace: string, { text, subjects, includeSuperseded, most }: Query) => {
    const values = [tenantId, memoryId, namespace, text, subjects, includeSuperseded, most];
    const [row] = await database.rows<WordsRow>(FIND_BY_WORDS, values);
    return wordsFoundOf(row!);
  };

  const citingBySql = async (namespace: string, { text, includeSuperseded, turns }: Query) => {
    const [row] = await database.rows<{ records: string | null }>(FIND_BY_TURNS, [
      ...[tenantId, memoryId, namespace, text, includeSuperseded],
      listOf(turns.map(({ sessionKey }) => sessionKey)),
      listOf(turns.map(({ sequence }) => sequence)),
    ]);
    return citingRecordsOf(row!.records);
  };

  const near = (number: number): unknown => expect.closeTo(number, 9);
  const byWeight = (records: readonly RecordByWords[]) =>
    records.toSorted((a, b) => b.weight - a.weight || b.created - a.created || (a.recordId < b.recordId ? -1 : 1));

  /**
   * SQL adds up the weights of a record's words in any order, so two sums that are equal in theory may differ in their last
   * digit and be in either order, also where the limit cuts between them. So the order is compared with the weights of each
   * side.
   */
  const expectAlike = (held: WordsFound, bySql: WordsFound, most: number): void => {
    const { weights, whole, known, usualWords, records } = bySql;
    expect({ ...held, records: [] }).toEqual({
      ...{ weights: weights.map(near), whole: near(whole), known, usualWords: near(usualWords), records: [] },
    });
    expect(held.records).toEqual(byWeight(held.records));
    expect(records).toEqual(byWeight(records));
    expect(held.records.map(({ weight }) => weight)).toEqual(records.map(({ weight }) => near(weight)));
    const least = records.length < most ? 0 : (records.at(-1)?.weight ?? 0) + 1e-9;
    const idsAbove = (all: readonly RecordByWords[]) =>
      all
        .filter(({ weight }) => weight > least)
        .map(({ recordId }) => recordId)
        .sort();
    expect(idsAbove(held.records)).toEqual(idsAbove(records));
    const others = new Map(records.map((record) => [record.recordId, record]));
    for (const record of held.records) {
      const other = others.get(record.recordId);
      if (other !== undefined) expect(record).toEqual({ ...other, weight: near(other.weight) });
    }
  };

  /** SQL returns records, and the words and turns of each, in any order; and a turn once per quote. */
  const sorted = (records: readonly CitingRecord[]) =>
    records
      .map(({ matched, turns, ...record }) => ({
        ...{ ...record, matched: matched.toSorted((a, b) => a - b), turns: [...new Set(turns)].sort((a, b) => a - b) },
      }))
      .sort((a, b) => (a.recordId < b.recordId ? -1 : 1));

  it.each([0, 3, 150, 200, 600])('are found like those in Postgres, of %i', async (count) => {
    const namespace = `/of/${count}`;
    await fill(namespace, count);
    const held = await hold(namespace);
    expect(held.size).toBe(count);
    const [row] = await database.rows<{ actors: string[] }>(FIND_ACTORS_OR_RECORDS, [
      ...[tenantId, memoryId, namespace, 'tea', '', false, 10],
    ]);
    expect(held.newestActors().sort()).toEqual(row!.actors.toSorted());
    const seen = { inPart: 0, byWords: 0, citing: 0 };
    for (const query of fc.sample(drawnQuery, { seed: 7, numRuns: 120 })) {
      const { asked, isWhole } = await ask(namespace, query);
      const found = held.findWords(asked, query);
      expect(found === null, query.text).toBe(!isWhole);
      if (found === null) seen.inPart += 1;
      else {
        expectAlike(found, await wordsBySql(namespace, query), query.most);
        seen.byWords += found.records.length;
      }
      const citing = held.findCiting(query.turns, asked, query);
      expect(sorted(citing), query.text).toEqual(sorted(await citingBySql(namespace, query)));
      seen.citing += citing.length;
    }
    expect(seen.inPart > 0).toBe(count === 600);
    expect(Math.min(seen.byWords, seen.citing) > 0).toBe(count > 0);
  });
});
