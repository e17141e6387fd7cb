import type { LogEvent, Steps } from '@turnkeeper/domain';
import {
  TurnTable,
  type IndexedTurn,
  type Language,
  type ScopeSize,
  type SessionPostings,
  type TermPostings,
  type TurnTraits,
} from '@turnkeeper/search';
import { timeSlices, type TimeSlices } from '../time-slices.js';
import { indexEvent } from './index-event.js';
import type { Tail } from './tail.js';
import { SegmentReader, TRAIT, wordCount } from './turn-segment.js';
import type { WordHash } from './word-hash.js';

/** Segments of a scope, as read for a search. */
export interface ReadSegment {
  readonly session_key: number;
  readonly speakers: readonly string[];
  readonly data: Buffer;
}

/** Traits of a turn, and where it is in the log. */
export interface HeldTurn extends TurnTraits {
  readonly sequence: number;
}

export type PlacedTurn = readonly [session: number, place: number];

/** A turn that was tokenized for this search. */
interface FreshTurn {
  readonly session: number;
  readonly place: number;
  readonly sequence: number;
  readonly turn: IndexedTurn;
  readonly words: number;
}

/** The turns of a session: those in segments are next to each other, in the order of their places. */
interface SessionTurns {
  words: number;
  readonly from: number;
  to: number;
  readonly fresh: Map<number, FreshTurn>;
}

type Fresh = FreshTurn | LogEvent<'message.appended'>;

/** The turns of a scope: those in segments, and those of the tail, which replace others of the same place. */
export class ScopeTurns {
  private readonly sessions = new Map<number, SessionTurns>();
  private readonly fresh: FreshTurn[] = [];
  // By number of a turn in a segment. Plain numbers: objects for thousands of turns would cost more than the ranking.
  private readonly places: number[] = [];
  private readonly offsets: number[] = [];
  private readonly segmentNumbers: number[] = [];
  /** Turns that fresh ones replace, or of which nothing is left. */
  private readonly replaced = new Set<number>();
  private turns = 0;
  private words = 0;
  /** What was heard of interrupted turns, by session and place. */
  readonly cut = new Map<string, LogEvent<'message.appended'>>();

  private constructor(
    private readonly segments: readonly ReadSegment[],
    private readonly hashes: WordHash,
  ) {}

  /** In a step per segment. */
  static *of(segments: readonly ReadSegment[], tail: Tail, hashes: WordHash): Steps<ScopeTurns> {
    const turns = new ScopeTurns(inOrder(segments), hashes);
    yield* turns.fill(tail);
    return turns;
  }

  private *fill(tail: Tail): Steps<void> {
    const freshOf = bySequence(tail);
    const languages = new Map<number, Set<Language>>();
    for (const [segmentNumber, segment] of this.segments.entries()) {
      yield;
      const session = segment.session_key;
      const of = this.sessionOf(session);
      const fresh = freshOf.get(session);
      for (const held = new SegmentReader(segment.data); !held.isOver; held.next()) {
        const own = fresh?.get(held.sequence);
        if (own !== undefined) this.replaced.add(this.places.length);
        else {
          of.words += held.words;
          this.words += held.words;
          this.turns += 1;
        }
        this.places.push(held.place);
        this.offsets.push(held.at);
        this.segmentNumbers.push(segmentNumber);
        if (own === undefined || !('eventId' in own)) continue;
        this.cut.set(`${session} ${held.place}`, own);
        const turn = indexEvent(own, languages, held.language);
        if (turn === null) continue;
        this.add({ session, place: held.place, sequence: held.sequence, turn, words: wordCount(turn) });
      }
      of.to = this.places.length;
    }
    for (const fresh of freshOf.values()) for (const own of fresh.values()) if (!('eventId' in own)) this.add(own);
  }

  /** Of the turns that were read. */
  get size(): ScopeSize {
    return { turns: this.turns, sessions: Math.max(1, this.sessions.size), words: this.words };
  }

  sequenceOf(session: number, place: number): number | null {
    return this.at(session, place)?.sequence ?? null;
  }

  /** Postings of each stem among the turns that were read, and the number of segments that have it. */
  async postingsOf(
    stems: readonly string[],
    slices: Pick<TimeSlices, 'begin'> = timeSlices,
  ): Promise<(TermPostings & { readonly segments: number })[]> {
    const wanted = new WantedTerms(stems, this.hashes);
    const found = stems.map((): FoundStem => ({ bySession: new Map(), newest: null, segments: 0, last: -1 }));
    const add = (index: number, session: number, place: number, count: number, words: number): void => {
      const stem = found[index] as FoundStem;
      let of = stem.newest?.session === session ? stem.newest : stem.bySession.get(session);
      if (of === undefined) {
        const sessionWords = this.sessions.get(session)?.words ?? 0;
        of = { session, places: [], counts: [], words: [], total: 0, sessionWords };
        stem.bySession.set(session, of);
      }
      stem.newest = of;
      of.places.push(place);
      of.counts.push(count);
      of.words.push(words);
      of.total += count;
    };
    const work = slices.begin();
    let nr = 0;
    for (const [segmentNumber, segment] of this.segments.entries()) {
      if (work.isDue) await work.pause();
      for (const turn = new SegmentReader(segment.data); !turn.isOver; turn.next(), nr += 1) {
        if (this.replaced.has(nr)) continue;
        wanted.eachIn(turn, (index, count) => {
          add(index, segment.session_key, turn.place, count, turn.words);
          const stem = found[index] as FoundStem;
          if (stem.last === segmentNumber) return;
          stem.last = segmentNumber;
          stem.segments += 1;
        });
      }
    }
    for (const { session, place, turn, words } of this.fresh) {
      stems.forEach((stem, index) => {
        const count = turn.terms.get(stem);
        if (count !== undefined) add(index, session, place, count, words);
      });
    }
    return stems.map((term, index) => {
      const { bySession, segments } = found[index] as FoundStem;
      const postings: SessionPostings[] = [...bySession.values()];
      const turns = postings.reduce((sum, { places }) => sum + places.length, 0);
      return { term, turns, sessions: postings.length, postings, segments };
    });
  }

  allTraits(): TurnTable<HeldTurn> {
    return this.someTraits(this.all());
  }

  /** @param places some may repeat, or may not exist */
  someTraits(places: Iterable<PlacedTurn>): TurnTable<HeldTurn> {
    const table = new TurnTable<HeldTurn>();
    for (const [session, place] of places) {
      if (table.get(session, place) !== undefined) continue;
      const turn = this.at(session, place);
      if (turn !== null) table.set(session, place, turn);
    }
    return table;
  }

  /** Turns of days that a question names. */
  *fromDays(ranges: readonly { readonly from: number; readonly to: number }[]): Generator<PlacedTurn> {
    if (ranges.length === 0) return;
    for (const turn of this.all()) {
      const day = this.at(...turn)?.day ?? NaN;
      if (ranges.some(({ from, to }) => day >= from && day <= to)) yield turn;
    }
  }

  private *all(): Generator<PlacedTurn> {
    for (const [session, { from, to, fresh }] of this.sessions) {
      for (let nr = from; nr < to; nr += 1) if (!this.replaced.has(nr)) yield [session, this.places[nr] as number];
      for (const place of fresh.keys()) yield [session, place];
    }
  }

  private at(session: number, place: number): HeldTurn | null {
    const of = this.sessions.get(session);
    if (of === undefined) return null;
    const fresh = of.fresh.get(place);
    if (fresh !== undefined) return { ...fresh.turn, sequence: fresh.sequence };
    let [low, high] = [of.from, of.to];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.places[middle] as number) < place) low = middle + 1;
      else high = middle;
    }
    if (low === of.to || this.places[low] !== place || this.replaced.has(low)) return null;
    const segment = this.segments[this.segmentNumbers[low] as number] as ReadSegment;
    return traitsOf(new SegmentReader(segment.data, this.offsets[low]), segment.speakers);
  }

  private sessionOf(session: number): SessionTurns {
    let of = this.sessions.get(session);
    if (of === undefined) {
      of = { words: 0, from: this.places.length, to: this.places.length, fresh: new Map() };
      this.sessions.set(session, of);
    }
    return of;
  }

  private add(turn: FreshTurn): void {
    const of = this.sessionOf(turn.session);
    of.fresh.set(turn.place, turn);
    of.words += turn.words;
    this.fresh.push(turn);
    this.turns += 1;
    this.words += turn.words;
  }
}

const inOrder = (segments: readonly ReadSegment[]): ReadSegment[] =>
  segments
    .filter(({ data }) => data.length > 0)
    .map((segment) => ({ segment, first: new SegmentReader(segment.data).place }))
    .sort((a, b) => a.segment.session_key - b.segment.session_key || a.first - b.first)
    .map(({ segment }) => segment);

/** The turns of a tail by session and sequence. */
const bySequence = (tail: Tail): Map<number, Map<number, Fresh>> => {
  const found = new Map<number, Map<number, Fresh>>();
  const set = (session: number, sequence: number | null, fresh: Fresh): void => {
    const of = found.get(session) ?? new Map<number, Fresh>();
    found.set(session, of.set(sequence ?? 0, fresh));
  };
  for (const { session, place, event, turn, words } of tail.added) {
    set(session, event.sequence, { session, place, sequence: event.sequence ?? 0, turn, words });
  }
  for (const event of tail.cut) set(event.sessionKey ?? 0, event.sequence, event);
  return found;
};

interface MutablePostings extends SessionPostings {
  readonly places: number[];
  readonly counts: number[];
  readonly words: number[];
  total: number;
}

/** Where a stem was found. */
interface FoundStem {
  readonly bySession: Map<number, MutablePostings>;
  /** Those of the last turn that has it: the next one is mostly of the same session. */
  newest: MutablePostings | null;
  /** How many segments have it, and the number of the last one. */
  segments: number;
  last: number;
}

/** Looks up the stems of a question among the terms of turns. */
class WantedTerms {
  private readonly byHash = new Map<number, number[]>();
  /** By the last bits of a hash: 0 if no stem has them. Most terms of most turns are none of the question's. */
  private readonly maybe = new Uint8Array(1_024);

  constructor(stems: readonly string[], hashes: WordHash) {
    stems.forEach((stem, index) => {
      const hash = hashes.of(stem);
      this.byHash.set(hash, [...(this.byHash.get(hash) ?? []), index]);
      this.maybe[hash & 1_023] = 1;
    });
  }

  eachIn(turn: SegmentReader, found: (index: number, count: number) => void): void {
    const { termCount } = turn;
    for (let nr = 0; nr < termCount; nr += 1) {
      const hash = turn.term(nr);
      if (this.maybe[hash & 1_023] === 0) continue;
      for (const index of this.byHash.get(hash) ?? []) found(index, turn.count(nr));
    }
  }
}

const traitsOf = (turn: SegmentReader, speakers: readonly string[]): HeldTurn => {
  const bits = turn.traits;
  return {
    endsWithQuestion: (bits & TRAIT.asks) !== 0,
    hasQuestion: (bits & TRAIT.hasQuestion) !== 0,
    hasTimeWord: (bits & TRAIT.when) !== 0,
    names: ((bits >> 3) & 3) / 3,
    day: turn.day,
    speaker: turn.speaker === 0 ? null : (speakers[turn.speaker - 1] ?? null),
    role: (bits & TRAIT.user) !== 0 ? 'user' : (bits & TRAIT.assistant) !== 0 ? 'assistant' : '',
    sequence: turn.sequence,
  };
};
