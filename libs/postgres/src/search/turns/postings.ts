import type { SessionPostings, TermPostings, TurnTable, TurnTraits } from '@turnkeeper/search';
import { TRAIT } from './turn-indexer.js';

/** A row of `list_turn_words`. */
export interface ListedRow {
  /** Stem number, from 1; 0 for the scope's sessions. */
  readonly stem: number;
  /** `session place count words …`; for sessions `session words …`, null if there are none. */
  readonly places: string | null;
}

/** A row of `find_turn_words`. */
export interface ChosenRow {
  /** Stem number, from 1. */
  readonly stem: number;
  readonly turns: number;
  readonly sessions: number;
  /** `session total words place count words place count words …,session …` */
  readonly postings: string;
}

/** The integers of a packed text. A question reads thousands of them. */
export const integersIn = (packed: string): number[] => {
  const found: number[] = [];
  let sign = 1;
  let value = 0;
  for (let at = 0; at < packed.length; at += 1) {
    const code = packed.charCodeAt(at);
    if (code === SPACE) {
      found.push(sign * value);
      sign = 1;
      value = 0;
    } else if (code === MINUS) sign = -1;
    else value = 10 * value + code - ZERO;
  }
  found.push(sign * value);
  return found;
};
const SPACE = 32;
const MINUS = 45;
const ZERO = 48;

/** All postings of each stem, including stems that occur in no turn. */
export const listedPostings = (stems: readonly string[], rows: readonly ListedRow[]): TermPostings[] => {
  const found = new Map(rows.map(({ stem, places }) => [stem, places === null ? [] : integersIn(places)]));
  const wordsOf = new Map<number, number>();
  const sessions = found.get(0) ?? [];
  for (let at = 0; at + 1 < sessions.length; at += 2) wordsOf.set(sessions[at] as number, sessions[at + 1] as number);
  return stems.map((term, index) => {
    const postings = groupedBySession(found.get(index + 1) ?? [], wordsOf);
    const turns = postings.reduce((sum, { places }) => sum + places.length, 0);
    return { term, turns, sessions: postings.length, postings };
  });
};

/**
 * @param numbers `session place count words …`
 * @param wordsOf number of words of each session; others are left out
 */
export const groupedBySession = (
  numbers: readonly number[],
  wordsOf: ReadonlyMap<number, number>,
): SessionPostings[] => {
  const sessions = new Map<
    number,
    { session: number; places: number[]; counts: number[]; words: number[]; total: number }
  >();
  let found = { session: -1, places: [] as number[], counts: [] as number[], words: [] as number[], total: 0 };
  for (let at = 0; at + 3 < numbers.length; at += 4) {
    const session = numbers[at] as number;
    if (session !== found.session) {
      // Sessions usually come one after the other.
      found = sessions.get(session) ?? { session, places: [], counts: [], words: [], total: 0 };
      sessions.set(session, found);
    }
    found.places.push(numbers[at + 1] as number);
    found.counts.push(numbers[at + 2] as number);
    found.words.push(numbers[at + 3] as number);
    found.total += numbers[at + 2] as number;
  }
  return [...sessions.values()].flatMap((of) => {
    const sessionWords = wordsOf.get(of.session);
    return sessionWords === undefined ? [] : [{ ...of, sessionWords }];
  });
};

/** Postings near the chosen turns, for each stem, including stems that occur in no turn. */
export const chosenPostings = (stems: readonly string[], rows: readonly ChosenRow[]): TermPostings[] => {
  const found = stems.map((term) => ({ term, turns: 0, sessions: 0, postings: [] as SessionPostings[] }));
  for (const row of rows) {
    const term = found[row.stem - 1];
    if (term === undefined) continue;
    term.turns = row.turns;
    term.sessions = row.sessions;
    for (const packed of row.postings.split(',')) term.postings.push(sessionPostingsFrom(packed));
  }
  return found;
};

const sessionPostingsFrom = (packed: string): SessionPostings => {
  const numbers = integersIn(packed);
  const places: number[] = [];
  const counts: number[] = [];
  const words: number[] = [];
  for (let at = 3; at + 2 < numbers.length; at += 3) {
    places.push(numbers[at] as number);
    counts.push(numbers[at + 1] as number);
    words.push(numbers[at + 2] as number);
  }
  const [session = 0, total = 0, sessionWords = 0] = numbers;
  return { session, places, counts, words, total, sessionWords };
};

/** An indexed turn. */
export interface HeldTurn extends TurnTraits {
  readonly sequence: number;
}

/**
 * @param packed `session place day traits sequence …`; null if there are no turns
 * @param named the speaker that the question names: other speakers are not told apart
 */
export const addTraits = (table: TurnTable<HeldTurn>, packed: string | null, named: string | null): void => {
  if (packed === null) return;
  const numbers = integersIn(packed);
  for (let at = 0; at + 4 < numbers.length; at += 5) {
    const field = (offset: number) => numbers[at + offset] as number;
    const bits = field(3);
    table.set(field(0), field(1), traitsFrom(field(2), bits, (bits & TRAIT.bySpeaker) !== 0 ? named : null, field(4)));
  }
};

/** @param bits see `TRAIT` */
export const traitsFrom = (day: number, bits: number, speaker: string | null, sequence: number): HeldTurn => ({
  endsWithQuestion: (bits & TRAIT.asks) !== 0,
  hasQuestion: (bits & TRAIT.hasQuestion) !== 0,
  hasTimeWord: (bits & TRAIT.when) !== 0,
  names: ((bits >> 3) & 3) / 3,
  day,
  speaker,
  role: (bits & TRAIT.user) !== 0 ? 'user' : (bits & TRAIT.assistant) !== 0 ? 'assistant' : '',
  sequence,
});
