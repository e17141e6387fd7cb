import { LANGUAGES, type IndexedTurn, type Language } from '@turnkeeper/search';
import type { WordHash } from './word-hash.js';

/*
 * The turns of a segment, one after the other, as SQL reads them too (`turns_in` in the migrations). Big-endian:
 *
 *   0 terms: 2 bytes    2 repeated terms: 2    4 place: 4    8 sequence: 4    12 day: 4    16 words: 2
 *   18 traits: 1    19 language: 1    20 speaker: 1, from 1; 0 for none    21 hash of each term: 4, ascending
 *   then for each term that occurs more than once: its number, from 0: 2, and how often: 2
 *   then the hash of a user's whole text: 4
 */
const HEAD = 21;
const PLACE = 4;
const SEQUENCE = 8;
const DAY = 12;
const WORDS = 16;
const TRAITS = 18;
const LANGUAGE = 19;
const SPEAKER = 20;
const MAX_COUNTED = 0xffff;

/** `bySpeaker` is not stored: it is set for turns of the speaker that a question names. */
export const TRAIT = { asks: 1, hasQuestion: 2, when: 4, names: 8, user: 32, assistant: 64 } as const;

/** Where a turn is in its session. */
export interface TurnPlace {
  readonly place: number;
  readonly sequence: number;
}

/** Reads the turns of a segment in place: a search looks at thousands of them. */
export class SegmentReader {
  private readonly view: DataView;
  private terms = 0;
  private repeated = 0;

  /** @param at offset of the turn in the segment */
  constructor(
    readonly data: Buffer,
    public at = 0,
  ) {
    this.view = new DataView(data.buffer, data.byteOffset, data.length);
    if (!this.isOver) this.measure();
  }

  get isOver(): boolean {
    return this.at >= this.data.length;
  }

  get size(): number {
    return HEAD + 4 * (this.terms + this.repeated + (this.isOfUser ? 1 : 0));
  }

  get place(): number {
    return this.view.getUint32(this.at + PLACE);
  }

  get sequence(): number {
    return this.view.getUint32(this.at + SEQUENCE);
  }

  get day(): number {
    return this.view.getInt32(this.at + DAY);
  }

  /** Its word count, without stop words. */
  get words(): number {
    return this.view.getUint16(this.at + WORDS);
  }

  /** See `TRAIT`. */
  get traits(): number {
    return this.view.getUint8(this.at + TRAITS);
  }

  get language(): Language {
    return LANGUAGES[this.view.getUint8(this.at + LANGUAGE)] ?? 'xx';
  }

  /** Number of its speaker among those of the segment, from 1; 0 for none. */
  get speaker(): number {
    return this.view.getUint8(this.at + SPEAKER);
  }

  get isOfUser(): boolean {
    return (this.traits & TRAIT.user) !== 0;
  }

  /** The hash of a user's whole text. */
  get text(): number {
    return this.view.getInt32(this.at + this.size - 4);
  }

  get termCount(): number {
    return this.terms;
  }

  /** The hash of a term. */
  term(index: number): number {
    return this.view.getInt32(this.at + HEAD + 4 * index);
  }

  /** How often the turn contains a term. */
  count(index: number): number {
    const from = this.at + HEAD + 4 * this.terms;
    for (let at = from; at < from + 4 * this.repeated; at += 4) {
      if (this.view.getUint16(at) === index) return this.view.getUint16(at + 2);
    }
    return 1;
  }

  next(): void {
    this.at += this.size;
    if (!this.isOver) this.measure();
  }

  private measure(): void {
    this.terms = this.view.getUint16(this.at);
    this.repeated = this.view.getUint16(this.at + 2);
  }
}

/** @param speakers names of the segment's speakers; a new one is added */
export const encodeTurn = (
  turn: IndexedTurn,
  { place, sequence }: TurnPlace,
  hashes: WordHash,
  speakers: string[],
): Buffer => {
  const hashed = new Uint32Array(turn.terms.size);
  let [found, words] = [0, 0];
  /** Of the terms that occur more than once. */
  const counts = new Map<number, number>();
  for (const [term, count] of turn.terms) {
    const hash = hashes.of(term) >>> 0;
    words += count;
    if (count > 1) counts.set(hash, Math.min(MAX_COUNTED, (counts.get(hash) ?? 0) + count));
    hashed[found] = hash;
    found += 1;
  }
  hashed.sort();
  // Two words with one hash are one term.
  const collided = hashed.filter((hash, index) => index > 0 && hash === hashed[index - 1]);
  for (const hash of collided) counts.set(hash, counts.get(hash) ?? 2);
  const terms = collided.length === 0 ? hashed : Uint32Array.from(new Set(hashed));
  const isOfUser = turn.role === 'user';
  const data = Buffer.allocUnsafe(HEAD + 4 * (terms.length + counts.size + (isOfUser ? 1 : 0)));
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  view.setUint16(0, terms.length);
  view.setUint16(2, counts.size);
  view.setUint32(PLACE, place);
  view.setUint32(SEQUENCE, sequence);
  view.setInt32(DAY, turn.day);
  view.setUint16(WORDS, Math.min(MAX_COUNTED, words));
  data[TRAITS] = traitBits(turn);
  data[LANGUAGE] = LANGUAGES.indexOf(turn.language);
  data[SPEAKER] = turn.speaker === null ? 0 : numberOf(turn.speaker, speakers);
  let at = HEAD;
  for (const hash of terms) {
    view.setUint32(at, hash);
    at += 4;
  }
  if (isOfUser) view.setInt32(data.length - 4, hashes.ofText(turn.text));
  if (counts.size === 0) return data;
  terms.forEach((hash, index) => {
    const count = counts.get(hash);
    if (count === undefined) return;
    view.setUint16(at, index);
    view.setUint16(at + 2, count);
    at += 4;
  });
  return data;
};

const numberOf = (speaker: string, speakers: string[]): number => {
  const known = speakers.indexOf(speaker);
  return known === -1 ? speakers.push(speaker) : known + 1;
};

export const wordCount = (turn: IndexedTurn): number => [...turn.terms.values()].reduce((sum, count) => sum + count, 0);

const traitBits = (turn: IndexedTurn): number =>
  (turn.endsWithQuestion ? TRAIT.asks : 0) +
  (turn.hasQuestion ? TRAIT.hasQuestion : 0) +
  (turn.hasTimeWord ? TRAIT.when : 0) +
  TRAIT.names * Math.round(turn.names * 3) +
  (turn.role === 'user' ? TRAIT.user : 0) +
  (turn.role === 'assistant' ? TRAIT.assistant : 0);

/** What the rows of segments say about their turns, besides the turns themselves. */
export interface SegmentSummary {
  readonly turns: number;
  readonly words: number;
  readonly firstDay: number;
  readonly lastDay: number;
  /** Hashes of all terms and of the texts of users, ascending. */
  readonly terms: readonly number[];
  /** Numbers of the speakers. */
  readonly speakers: ReadonlySet<number>;
}

/** @param withTerms false: leaves them out, which saves most of the time */
export const summaryOf = (data: Buffer, withTerms = true): SegmentSummary => {
  let [turns, words, firstDay, lastDay] = [0, 0, Infinity, -Infinity];
  const terms = new Set<number>();
  const speakers = new Set<number>();
  for (const turn = new SegmentReader(data); !turn.isOver; turn.next()) {
    turns += 1;
    words += turn.words;
    firstDay = Math.min(firstDay, turn.day);
    lastDay = Math.max(lastDay, turn.day);
    if (turn.speaker > 0) speakers.add(turn.speaker);
    if (!withTerms) continue;
    for (let index = 0; index < turn.termCount; index += 1) terms.add(turn.term(index));
    if (turn.isOfUser) terms.add(turn.text);
  }
  return { turns, words, firstDay, lastDay, terms: [...Int32Array.from(terms).sort()], speakers };
};
