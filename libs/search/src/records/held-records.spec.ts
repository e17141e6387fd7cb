import { describe, expect, it } from 'vitest';
import { HeldRecords, type AskedWord, type HeldRecord } from './held-records.js';

/** Stems of words as their hashes; a derived form is the same with a minus sign. */
const [TEA, OCELOT, USER, KAYAK] = [11, 12, 13, 14];
const asked = (...terms: number[]): AskedWord[] =>
  terms.map((term, n) => ({ word: n + 1, terms: [-term, term], exact: term, isSubject: term === USER }));

let clock = 0;
let numbered = 0;
const record = (recordId: string, terms: number[], more: Partial<HeldRecord> = {}): HeldRecord => ({
  ...{ recordId, terms, created: (clock += 1_000_000), isSuperseded: false, actorId: null },
  ...{ hasSources: false, sources: [], ...more },
});
const holding = (...records: HeldRecord[]): HeldRecords => {
  const held = new HeldRecords();
  for (const each of records) held.set(each);
  return held;
};
const many = (count: number, terms: number[], more: Partial<HeldRecord> = {}) =>
  Array.from({ length: count }, () => record(`${++numbered}`, terms, more));

const ANY = { includeSuperseded: false, most: 1_000 };
const found = (held: HeldRecords, words: readonly AskedWord[], options = ANY) => {
  const result = held.findWords(words, options);
  if (result === null) throw new Error('Not all records are read.');
  return result;
};
const ids = (...search: Parameters<typeof found>) => found(...search).records.map(({ recordId }) => recordId);
const cited = (held: HeldRecords, sequences: number[], words = asked(TEA), options = ANY) =>
  held.findCiting(
    sequences.map((sequence) => ({ sessionKey: 7, sequence })),
    words,
    options,
  );
const turn = (sequence: number, sessionKey = 7) => ({ sessionKey, sequence });

describe('records in memory', () => {
  it('are as large as their words and sources', () => {
    const words = (count: number) => Array.from({ length: count }, (_, n) => 1_000 + n);
    const held = holding(record('a', words(12), { sources: [turn(1)] }));
    const small = held.bytes;
    held.set(record('a', words(400), { sources: [turn(1)] }));
    expect(held.bytes).toBeGreaterThan(5 * small);
    held.delete('a');
    expect(held.bytes).toBe(0);
  });

  it('are found by their words, best first, then newest first, then by id', () => {
    const created = 1_000;
    const held = holding(
      record('c', [TEA], { created }),
      record('b', [TEA, KAYAK], { created, hasSources: true }),
      record('other', [-TEA, KAYAK]),
      record('both', [TEA, OCELOT, KAYAK]),
      record('newest', [TEA]),
      record('none', [KAYAK]),
    );
    expect(ids(held, asked(TEA, OCELOT))).toEqual(['both', 'newest', 'b', 'c', 'other']);
    expect(ids(held, asked(TEA, OCELOT), { ...ANY, most: 2 })).toEqual(['both', 'newest']);
    const { records, weights, known, usualWords } = found(held, asked(TEA, 99));
    expect(records[2]).toEqual({ recordId: 'b', created, words: 2, weight: weights[0], matched: 1, hasSources: true });
    expect(records[4]).toMatchObject({ recordId: 'other', weight: 0.8 * weights[0]! });
    expect([known, usualWords]).toEqual([1, 10 / 6]);
  });

  it('are nothing in an empty namespace, and for a query without words', () => {
    const nothing = { records: [], known: 0 };
    expect(found(holding(), asked(TEA))).toMatchObject({ ...nothing, usualWords: 8 });
    expect(found(holding(record('a', [TEA])), [])).toEqual({ ...nothing, weights: [], whole: 1e-9, usualWords: 1 });
    expect(cited(holding(), [1])).toEqual([]);
    expect(holding().newestActors()).toEqual([]);
  });

  it('can be replaced and deleted', () => {
    const held = holding(
      record('a', [TEA], { actorId: 'ada', sources: [turn(1)] }),
      record('b', [TEA, OCELOT], { actorId: 'bea', sources: [turn(1), turn(1), turn(2)] }),
    );
    expect([held.size, ids(held, asked(TEA)), held.newestActors()]).toEqual([2, ['b', 'a'], ['bea', 'ada']]);
    held.set(record('a', [KAYAK], { actorId: 'eve', sources: [turn(3)] }));
    expect([held.size, ids(held, asked(TEA)), ids(held, asked(KAYAK))]).toEqual([2, ['b'], ['a']]);
    expect(cited(held, [1, 2, 3]).map(({ recordId }) => recordId)).toEqual(['b', 'a']);
    expect(held.newestActors()).toEqual(['eve', 'bea']);
    held.delete('b');
    held.delete('unknown');
    expect([held.size, ids(held, asked(TEA)), ids(held, asked(KAYAK))]).toEqual([1, [], ['a']]);
    expect(cited(held, [1, 2, 3])).toMatchObject([{ recordId: 'a', turns: [3] }]);
    expect(held.newestActors()).toEqual(['eve']);
    expect(found(held, asked(KAYAK)).usualWords).toBe(1);
  });

  it('are found when superseded only if these are wanted', () => {
    const held = holding(
      record('old', [TEA], { isSuperseded: true, sources: [turn(1)] }),
      record('new', [TEA], { sources: [turn(1)] }),
    );
    const all = { ...ANY, includeSuperseded: true };
    expect([ids(held, asked(TEA)), ids(held, asked(TEA), all)]).toEqual([['new'], ['new', 'old']]);
    expect([cited(held, [1]), cited(held, [1], asked(TEA), all)]).toMatchObject([
      [{ recordId: 'new' }],
      [{ recordId: 'old' }, { recordId: 'new' }],
    ]);
  });

  it('are not found by the word for their subject unless the query has no other', () => {
    const held = holding(record('a', [USER, TEA]), record('b', [USER]));
    expect(ids(held, asked(USER, TEA))).toEqual(['a']);
    expect(found(held, asked(USER, TEA)).weights[0]).toBe(0);
    expect(ids(held, asked(USER))).toEqual(['b', 'a']);
    held.set(record('c', [USER, KAYAK]));
    held.set(record('a', [USER, TEA, KAYAK]));
    held.set(record('b', [USER, KAYAK]));
    expect(found(held, asked(USER, KAYAK)).weights).toEqual([0, expect.any(Number)]);
    expect(ids(held, asked(USER, KAYAK))).toEqual(['b', 'a', 'c']);
  });

  it('are not found by a word of nearly all of them, also of the oldest', () => {
    const word = asked(TEA, OCELOT);
    const newest = () => [...many(199, [TEA]), record('both', [TEA, OCELOT])];
    const ofTwo = (...records: HeldRecord[]) => ids(holding(...records), word);
    expect(ofTwo(...many(100, [TEA]), record('both', [TEA, OCELOT]))).toEqual(['both']);
    expect(ofTwo(...many(500, [KAYAK]), ...newest())).toHaveLength(200);
    const oldest = (count: number, terms: number[]) => many(count, terms, { isSuperseded: true });
    expect(ofTwo(...many(50, [KAYAK]), ...oldest(450, [TEA]), ...newest())).toEqual(['both']);
    expect(ofTwo(...many(51, [KAYAK]), ...oldest(449, [TEA]), ...newest())).toHaveLength(200);
    expect(ofTwo(...many(51, [KAYAK]), ...oldest(449, [TEA, -TEA]), ...newest())).toHaveLength(200);
  });

  it('give a word its weight by an estimated number of all records', () => {
    const held = holding(...many(150, [OCELOT]), ...many(300, [KAYAK]), ...many(50, [OCELOT]));
    const total = (200 * 201) / 51;
    const weight = Math.log(1 + (50 + total - 200 + 0.5) / 200.5);
    expect(found(held, asked(OCELOT)).weights).toEqual([weight]);
  });

  it('are left to SQL if it would not read all records of a word', () => {
    const words = asked(TEA, ...Array.from({ length: 39 }, (_, n) => 100 + n));
    const records = many(100, [TEA]);
    const held = holding(...records, ...many(200, [USER, KAYAK]));
    expect(held.findWords(words, ANY)).toBeNull();
    held.delete(records[0]!.recordId);
    expect(ids(held, words)).toHaveLength(99);
    // The word of their subject is not searched for.
    expect(held.findWords([...asked(USER), ...words.slice(1)], ANY)).not.toBeNull();
  });

  it('are found by the turns that they cite, with the words of the query', () => {
    const held = holding(
      record('a', [TEA, -TEA, KAYAK, -OCELOT], { created: 5, sources: [turn(1), turn(1), turn(3)] }),
      record('b', [KAYAK], { sources: [turn(3)] }),
      record('c', [TEA], { sources: [turn(3, 8)] }),
    );
    const [a, b, ...others] = cited(held, [3, 2, 1], asked(OCELOT, TEA));
    expect(a).toEqual({ recordId: 'a', created: 5, words: 4, matched: [-1, 2], turns: [1, 3] });
    expect(b).toMatchObject({ recordId: 'b', matched: [], turns: [1] });
    expect(others).toEqual([]);
  });

  it('name the actors of the newest ones, each once', () => {
    const actors = (actorId: string | null, count: number) => many(count, [TEA], { actorId, created: 1 });
    const held = holding(record('z', [], { actorId: 'eve', created: 0 }), ...actors('ada', 49));
    expect(held.newestActors()).toEqual(['ada', 'eve']);
    held.set(record('y', [], { created: 2 }));
    expect(held.newestActors()).toEqual(['ada']);
    expect(held.newestActors(1)).toEqual([]);
  });

  it('are not read by a search unless they match', () => {
    let reads = 0;
    const held = holding(record('a', [TEA], { sources: [turn(1)] }));
    for (const other of many(2_000, [KAYAK], { sources: [turn(2)] })) {
      held.set(
        new Proxy(other, {
          get: (target, key) => {
            reads += 1;
            return Reflect.get(target, key) as unknown;
          },
        }),
      );
    }
    held.newestActors();
    reads = 0;
    expect([ids(held, asked(TEA)), cited(held, [1]), held.newestActors(1)]).toMatchObject([['a'], [{}], []]);
    expect(reads).toBe(1);
  });
});
