import { setImmediate } from 'node:timers/promises';
import type { LogEvent } from '@turnkeeper/domain';
import type { IndexedTurn, Language, SessionPostings, TermPostings, TurnTable } from '@turnkeeper/search';
import type { HeldTurn } from './postings.js';
import { eventOf, type EventRow } from '../../log/read/event-row.js';
import { indexEvent, wordCount } from './turn-indexer.js';

/** A turn as it was heard, at the place that it has or will have in the index. */
interface TailTurn {
  readonly event: LogEvent<'message.appended'>;
  readonly session: number;
  readonly place: number;
  /** Null if nothing that can be searched was heard. */
  readonly turn: IndexedTurn | null;
  /** Its word count, without stop words. */
  readonly words: number;
}

/** Characters that are tokenized, in up to 10 ms, before other requests may go on. */
const CHARACTERS_AT_ONCE = 65_536;

/** Turns in the log that are not indexed yet, or that were interrupted since. */
export interface Tail {
  readonly turns: readonly TailTurn[];
  /** Those of the turns that are not indexed. */
  readonly added: readonly (TailTurn & { readonly turn: IndexedTurn })[];
  /** Word count of those, without stop words. */
  readonly words: number;
}

/** A message of the tail, with what the index holds of it and of its session. */
export interface TailRow extends EventRow {
  /** Null: nothing of the session is indexed. */
  readonly last_place: number | null;
  readonly session_languages: readonly Language[] | null;
  /** Null: the message is not indexed. */
  readonly place: number | null;
  readonly language: Language | null;
}

/**
 * Tokenizes messages in the same way as the index, and gives them the places that it will. A long tail does not block the
 * event loop.
 */
export const tailOf = async (rows: readonly TailRow[]): Promise<Tail> => {
  const last = new Map<number, number>();
  const languages = new Map<number, Set<Language>>();
  for (const { session_key: key, last_place, session_languages } of rows) {
    if (key === null || last.has(key)) continue;
    last.set(key, last_place ?? 0);
    languages.set(key, new Set(session_languages));
  }
  const turns: TailTurn[] = [];
  let characters = 0;
  for (const row of [...rows].sort((a, b) => a.position - b.position)) {
    const event = eventOf(row) as LogEvent<'message.appended'>;
    if (event.sessionKey === null) continue;
    characters += event.data.content.length;
    if (characters > CHARACTERS_AT_ONCE) {
      characters = 0;
      await setImmediate();
    }
    const turn = indexEvent(event, languages, row.language ?? undefined);
    if (row.place === null && turn === null) continue;
    const place = row.place ?? (last.get(event.sessionKey) ?? 0) + 1;
    if (row.place === null) last.set(event.sessionKey, place);
    turns.push({ event, session: event.sessionKey, place, turn, words: turn === null ? 0 : wordCount(turn) });
  }
  const indexed = new Set(rows.filter(({ place }) => place !== null).map(({ event_id }) => event_id));
  const added = turns.flatMap((each) =>
    each.turn === null || indexed.has(each.event.eventId) ? [] : [{ ...each, turn: each.turn }],
  );
  return { turns, added, words: added.reduce((sum, { words }) => sum + words, 0) };
};

/** Adds the turns of a tail to the traits of indexed ones, without those of which nothing was heard. */
export const addTailTraits = (tail: Tail, table: TurnTable<HeldTurn>): void => {
  for (const { session, place, turn, event } of tail.turns) {
    if (turn === null) table.delete(session, place);
    else table.set(session, place, { ...turn, sequence: event.sequence ?? 0 });
  }
};

/**
 * Postings of the indexed turns and of a tail. Those of the tail win: a turn that was interrupted since, or has been indexed
 * since the tail was read, is in both.
 */
export const withTail = (tail: Tail, terms: readonly TermPostings[]): readonly TermPostings[] => {
  if (tail.turns.length === 0) return terms;
  const ofTail = new Map<number, Map<number, TailTurn>>();
  for (const turn of tail.turns) {
    const places = ofTail.get(turn.session) ?? new Map<number, TailTurn>();
    ofTail.set(turn.session, places.set(turn.place, turn));
  }
  return terms.map((term) => {
    const postings = new Map(term.postings.map((of) => [of.session, of]));
    let { turns, sessions } = term;
    for (const [session, places] of ofTail) {
      const before = postings.get(session);
      const after = extended(before, session, places, term.term);
      turns += (after?.places.length ?? 0) - (before?.places.length ?? 0);
      sessions += (after === null ? 0 : 1) - (before === undefined ? 0 : 1);
      if (after === null) postings.delete(session);
      else postings.set(session, after);
    }
    return { ...term, turns, sessions, postings: [...postings.values()] };
  });
};

/** A term's places in a session, with those of the tail instead of the indexed ones. Null if none is left. */
const extended = (
  known: SessionPostings | undefined,
  session: number,
  ofTail: ReadonlyMap<number, TailTurn>,
  term: string,
): SessionPostings | null => {
  const places: number[] = [];
  const counts: number[] = [];
  const words: number[] = [];
  let total = known?.total ?? 0;
  known?.places.forEach((place, index) => {
    if (ofTail.has(place)) {
      total -= known.counts[index] ?? 0;
      return;
    }
    places.push(place);
    counts.push(known.counts[index] ?? 0);
    words.push(known.words[index] ?? 0);
  });
  let sessionWords = known?.sessionWords;
  for (const each of ofTail.values()) {
    const count = each.turn?.terms.get(term);
    if (count === undefined) continue;
    places.push(each.place);
    counts.push(count);
    words.push(each.words);
    total += count;
    sessionWords ??= each.words;
  }
  // Postings without a listed place still count their session.
  if (places.length === 0) return known?.places.length === 0 ? known : null;
  return { session, places, counts, words, total, sessionWords: sessionWords ?? 0 };
};
