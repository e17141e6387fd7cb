import type { SessionPostings, TermPostings, TurnTable, TurnTraits } from '@turnkeeper/search';
import { TRAIT } from './turn-indexer.js';

export interface WordsRow {
  /** Stem number, from 1. */
  readonly stem: number;
  readonly turns: number;
  readonly sessions: number;
  /** `session total words place count words place count words …,session …` */
  readonly postings: string;
}

/** The integers of a packed text. A question reads thousands of them. */
const integersIn = (packed: string): number[] => {
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

/** Postings of each stem, including stems that occur in no turn. */
export const postingsOf = (stems: readonly string[], rows: readonly WordsRow[]): TermPostings[] => {
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
    table.set(field(0), field(1), turnFrom(field(2), field(3), named, field(4)));
  }
};

const turnFrom = (day: number, bits: number, named: string | null, sequence: number): HeldTurn => ({
  endsWithQuestion: (bits & TRAIT.asks) !== 0,
  hasQuestion: (bits & TRAIT.hasQuestion) !== 0,
  hasTimeWord: (bits & TRAIT.when) !== 0,
  names: ((bits >> 3) & 3) / 3,
  day,
  speaker: (bits & TRAIT.bySpeaker) !== 0 ? named : null,
  role: (bits & TRAIT.user) !== 0 ? 'user' : (bits & TRAIT.assistant) !== 0 ? 'assistant' : '',
  sequence,
});
