import type { CitingRecord, RecordByWords, WordsFound } from './found-words.js';
import { MOST_NEWEST, OTHER_FORM, weighWords } from './word-weights.js';

/** What a search needs to know about a record. */
export interface HeldRecord {
  readonly recordId: string;
  /** When it was created, in microseconds since 1970. */
  readonly created: number;
  readonly isSuperseded: boolean;
  readonly actorId: string | null;
  /** Hashes of its words, of 53 bits: exact as numbers. */
  readonly terms: readonly number[];
  /** It has source turns, whether or not they can be cited here. */
  readonly hasSources: boolean;
  readonly sources: readonly TurnKey[];
}

export interface TurnKey {
  readonly sessionKey: number;
  readonly sequence: number;
}

/** A word of a query. */
export interface AskedWord {
  /** Its number, from 1. */
  readonly word: number;
  /** Hashes of its forms. */
  readonly terms: readonly number[];
  /** The one of the word as asked. */
  readonly exact: number;
  /** It names whom the records are about. */
  readonly isSubject: boolean;
}

/** A record with its place in the order, and what a search notes of it. */
interface Entry {
  readonly record: HeldRecord;
  isHeld: boolean;
  /** 0 for the newest. */
  place: number;
  /** Of the last search that found it. */
  search: number;
  weight: number;
  matched: number;
}

/** The records that have a word. */
interface Matches {
  readonly exact: Entry[];
  readonly inOtherForms: Entry[];
}

/** Matching records that SQL reads for all words of a query together. */
const MOST_MATCHES = 4000;
const MOST_OLDEST = 500;
/** Average number of words if there are no records. */
const USUAL_WORDS = 8;
/** Measured with 10,000 records of 12 and of 400 words. */
const BYTES = { ofRecord: 900, ofTerm: 20, ofSource: 250 };
const NO_MATCHES: Matches = { exact: [], inOtherForms: [] };

/**
 * The records of a namespace, for searches without a database. They find what the SQL functions `find_record_words` and
 * `find_citing_records` find, with the same weights. The cost of a search grows with the number of records that match.
 */
export class HeldRecords {
  private readonly entries = new Map<string, Entry>();
  private readonly byTerm = new Map<number, Entry[]>();
  /** By session and sequence. */
  private readonly byTurn = new Map<number, Map<number, Entry[]>>();
  /** Newest first, as of the last search. */
  private order: Entry[] = [];
  private isOrdered = true;
  private usualWords = USUAL_WORDS;
  private terms = 0;
  private sources = 0;
  /** Numbers the searches, so that what one notes at an entry is not taken for a note of another one. */
  private searches = 0;

  get size(): number {
    return this.entries.size;
  }

  /** Approximate size in memory. */
  get bytes(): number {
    return this.size * BYTES.ofRecord + this.terms * BYTES.ofTerm + this.sources * BYTES.ofSource;
  }

  /** Adds or replaces a record. */
  set(record: HeldRecord): void {
    this.delete(record.recordId);
    const entry = { record, isHeld: true, place: 0, search: 0, weight: 0, matched: 0 };
    this.entries.set(record.recordId, entry);
    this.terms += record.terms.length;
    this.sources += record.sources.length;
    for (const term of record.terms) add(this.byTerm, term, entry);
    for (const { sessionKey, sequence } of record.sources) {
      const ofSession = this.byTurn.get(sessionKey) ?? new Map<number, Entry[]>();
      this.byTurn.set(sessionKey, ofSession);
      add(ofSession, sequence, entry);
    }
    this.order.push(entry);
    this.isOrdered = false;
  }

  delete(recordId: string): void {
    const entry = this.entries.get(recordId);
    if (entry === undefined) return;
    this.entries.delete(recordId);
    this.terms -= entry.record.terms.length;
    this.sources -= entry.record.sources.length;
    for (const term of entry.record.terms) remove(this.byTerm, term, entry);
    for (const { sessionKey, sequence } of entry.record.sources) {
      const ofSession = this.byTurn.get(sessionKey);
      if (ofSession === undefined) continue;
      remove(ofSession, sequence, entry);
      if (ofSession.size === 0) this.byTurn.delete(sessionKey);
    }
    entry.isHeld = false;
    this.isOrdered = false;
  }

  /** Whom the newest records are about. */
  newestActors(most = 50): string[] {
    const actors = this.newestFirst()
      .slice(0, most)
      .flatMap(({ record }) => record.actorId ?? []);
    return [...new Set(actors)];
  }

  /**
   * Records by their own words, best first.
   *
   * @returns null if a word is in more records than SQL reads for it: SQL then estimates, from the newest records, what it
   *   has not read, and the caller must use it. So nothing is estimated here but the number of records.
   */
  findWords(
    asked: readonly AskedWord[],
    { includeSuperseded, most }: { readonly includeSuperseded: boolean; readonly most: number },
  ): WordsFound | null {
    const newest = Math.min(this.newestFirst().length, MOST_NEWEST);
    const onlySubjects = asked.every(({ isSubject }) => isSubject);
    const mostPerWord = Math.floor(MOST_MATCHES / asked.length);
    const matches: Matches[] = [];
    for (const word of asked) {
      const isSearched = onlySubjects || !word.isSubject;
      const found = isSearched ? this.matchesOf(word, includeSuperseded, mostPerWord) : NO_MATCHES;
      if (found === null) return null;
      matches.push(found);
    }
    const counted = asked.map(({ isSubject }, place) => ({ isSubject, ...countsOf(matches[place] ?? NO_MATCHES) }));
    const weighed = weighWords(counted, newest, (place) => this.isOld(asked[place]?.terms ?? []));
    const weights = asked.map(() => 0);
    asked.forEach(({ word, isSubject }, place) => {
      weights[word - 1] = onlySubjects || !isSubject ? (weighed.weights[place] ?? 0) : 0;
    });
    const records = this.weighted(matches, weighed.weights).sort(byWeight).slice(0, most).map(foundOf);
    return { weights, whole: weighed.whole, known: weighed.known, usualWords: this.usualWords, records };
  }

  /**
   * Records that cite turns, in any order.
   *
   * @param turns may repeat
   */
  findCiting(
    turns: readonly TurnKey[],
    asked: readonly AskedWord[],
    { includeSuperseded }: { readonly includeSuperseded: boolean },
  ): CitingRecord[] {
    const cited = new Map<HeldRecord, number[]>();
    turns.forEach(({ sessionKey, sequence }, at) => {
      for (const { record } of this.byTurn.get(sessionKey)?.get(sequence) ?? []) {
        if (record.isSuperseded && !includeSuperseded) continue;
        const places = cited.get(record);
        if (places === undefined) cited.set(record, [at + 1]);
        else places.push(at + 1);
      }
    });
    if (cited.size === 0) return [];
    const matchedBy = wordsIn(asked);
    return Array.from(cited, ([record, places]) => ({
      ...{ recordId: record.recordId, created: record.created, words: record.terms.length },
      ...{ matched: matchedBy(record), turns: places },
    }));
  }

  /** Sorts only after a change, which is nearly a single pass: all but the changed records are in order. */
  private newestFirst(): readonly Entry[] {
    if (this.isOrdered) return this.order;
    this.order = this.order.filter(({ isHeld }) => isHeld).sort(byNewest);
    this.order.forEach((entry, place) => {
      entry.place = place;
    });
    const newest = this.order.slice(0, MOST_NEWEST);
    const words = newest.reduce((sum, { record }) => sum + record.terms.length, 0);
    this.usualWords = newest.length === 0 ? USUAL_WORDS : words / newest.length;
    this.isOrdered = true;
    return this.order;
  }

  /** @returns null if SQL would stop reading because there are too many. */
  private matchesOf({ terms, exact }: AskedWord, includeSuperseded: boolean, most: number): Matches | null {
    const search = ++this.searches;
    const matches: Matches = { exact: [], inOtherForms: [] };
    // The exact form first: a record that has it and another one has the word as asked.
    for (const term of [exact, ...terms]) {
      const into = term === exact ? matches.exact : matches.inOtherForms;
      for (const entry of this.byTerm.get(term) ?? []) {
        if (entry.search === search || (entry.record.isSuperseded && !includeSuperseded)) continue;
        entry.search = search;
        into.push(entry);
      }
      if (matches.exact.length + matches.inOtherForms.length >= most) return null;
    }
    return matches;
  }

  /** Whether nearly all of the oldest records have a word; also those that are superseded. */
  private isOld(terms: readonly number[]): boolean {
    const search = ++this.searches;
    const firstOldest = Math.max(0, this.size - MOST_OLDEST);
    let having = 0;
    for (const term of terms) {
      for (const entry of this.byTerm.get(term) ?? []) {
        if (entry.search === search || entry.place < firstOldest) continue;
        entry.search = search;
        having += 1;
      }
    }
    // In integers, as SQL compares them.
    return 9 * (this.size - firstOldest) <= 10 * having;
  }

  /** The entries that match, with the sum of the weights of their words. */
  private weighted(matches: readonly Matches[], weights: readonly number[]): Entry[] {
    const search = ++this.searches;
    const found: Entry[] = [];
    const count = (entries: readonly Entry[], weight: number) => {
      for (const entry of entries) {
        if (entry.search !== search) {
          entry.search = search;
          entry.weight = 0;
          entry.matched = 0;
          found.push(entry);
        }
        entry.weight += weight;
        entry.matched += 1;
      }
    };
    matches.forEach(({ exact, inOtherForms }, at) => {
      const weight = weights[at] ?? 0;
      // A word without weight finds no record.
      if (weight === 0) return;
      count(exact, weight);
      count(inOtherForms, weight * OTHER_FORM);
    });
    return found;
  }
}

const byNewest = ({ record: a }: Entry, { record: b }: Entry): number =>
  b.created - a.created || (a.recordId < b.recordId ? -1 : 1);

const byWeight = (a: Entry, b: Entry): number => b.weight - a.weight || a.place - b.place;

const countsOf = ({ exact, inOtherForms }: Matches): { records: number; amongNewest: number } => ({
  records: exact.length + inOtherForms.length,
  amongNewest: newestIn(exact) + newestIn(inOtherForms),
});

const newestIn = (entries: readonly Entry[]): number => {
  let newest = 0;
  for (const { place } of entries) if (place < MOST_NEWEST) newest += 1;
  return newest;
};

const foundOf = ({ record, weight, matched }: Entry): RecordByWords => ({
  ...{ recordId: record.recordId, created: record.created, words: record.terms.length },
  ...{ weight, matched, hasSources: record.hasSources },
});

/** Tells which words a record has; by one lookup per term of the record, however many records have the words. */
const wordsIn = (asked: readonly AskedWord[]): ((record: HeldRecord) => number[]) => {
  const byTerm = new Map<number, AskedWord[]>();
  for (const word of asked) {
    for (const term of new Set(word.terms)) byTerm.set(term, [...(byTerm.get(term) ?? []), word]);
  }
  return ({ terms }) => {
    const words = new Set<number>();
    for (const term of terms) {
      for (const { word, exact } of byTerm.get(term) ?? []) words.add(term === exact ? word : -word);
    }
    // In the order of the query, so that equal sums of their weights are exactly equal.
    return [...words].filter((word) => word > 0 || !words.has(-word)).sort((a, b) => Math.abs(a) - Math.abs(b));
  };
};

const add = (lists: Map<number, Entry[]>, key: number, entry: Entry): void => {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [entry]);
  // A record may cite a turn several times.
  else if (list.at(-1) !== entry) list.push(entry);
};

const remove = (lists: Map<number, Entry[]>, key: number, entry: Entry): void => {
  const list = lists.get(key) ?? [];
  const at = list.indexOf(entry);
  if (at === -1) return;
  const last = list.pop();
  if (list.length === 0) lists.delete(key);
  else if (last !== undefined && last !== entry) list[at] = last;
};
