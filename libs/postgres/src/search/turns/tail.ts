import type { LogEvent } from '@turnkeeper/domain';
import type { IndexedTurn, Language, SessionPostings, TermPostings, TurnTable } from '@turnkeeper/search';
import type { HeldTurn } from './postings.js';
import { eventOf, type EventRow } from '../../log/read/event-row.js';
import { indexEvent, wordCount } from './turn-indexer.js';

/** Turns in the log that are not indexed yet. */
export interface Tail {
  readonly turns: readonly {
    readonly event: LogEvent<'message.appended'>;
    readonly session: number;
    readonly place: number;
    readonly turn: IndexedTurn;
  }[];
  /** Word count without stop words. */
  readonly words: number;
}

/** A message beyond the index, with what the index holds of its session. */
export interface TailRow extends EventRow {
  /** Null: nothing of the session is indexed. */
  readonly last_place: number | null;
  readonly session_languages: readonly Language[] | null;
}

/** Tokenizes messages beyond the index in the same way as the index, and gives them the places that it will. */
export const tailOf = (rows: readonly TailRow[]): Tail => {
  const last = new Map<number, number>();
  const languages = new Map<number, Set<Language>>();
  for (const { session_key: key, last_place, session_languages } of rows) {
    if (key === null || last.has(key)) continue;
    last.set(key, last_place ?? 0);
    languages.set(key, new Set(session_languages));
  }
  let words = 0;
  const turns = [...rows]
    .sort((a, b) => a.position - b.position)
    .flatMap((row) => {
      const event = eventOf(row) as LogEvent<'message.appended'>;
      const turn = indexEvent(event, languages);
      if (turn === null || event.sessionKey === null) return [];
      const place = (last.get(event.sessionKey) ?? 0) + 1;
      last.set(event.sessionKey, place);
      words += wordCount(turn);
      return [{ event, session: event.sessionKey, place, turn }];
    });
  return { turns, words };
};

/** Adds the turns of a tail to the traits of indexed ones. */
export const addTailTraits = (tail: Tail, table: TurnTable<HeldTurn>): void => {
  for (const { session, place, turn, event } of tail.turns) {
    table.set(session, place, { ...turn, sequence: event.sequence ?? 0 });
  }
};

/**
 * Postings of the indexed turns and of a tail. Those of the tail win: a turn that has been indexed since the tail was read
 * is in both.
 */
export const withTail = (tail: Tail, terms: readonly TermPostings[]): readonly TermPostings[] => {
  if (tail.turns.length === 0) return terms;
  return terms.map((term) => {
    const postings = new Map(term.postings.map((of) => [of.session, of]));
    let turns = term.turns;
    let sessions = term.sessions;
    for (const { session, place, turn } of tail.turns) {
      const before = postings.get(session);
      if (before?.places.includes(place)) {
        turns -= 1;
        const others = without(before, place);
        if (others === null) {
          postings.delete(session);
          sessions -= 1;
        } else postings.set(session, others);
      }
      const count = turn.terms.get(term.term);
      if (count === undefined) continue;
      const known = postings.get(session);
      turns += 1;
      if (known === undefined) sessions += 1;
      postings.set(session, extended(known, session, place, count, wordCount(turn)));
    }
    return { ...term, turns, sessions, postings: [...postings.values()] };
  });
};

/** Null if nothing is left. */
const without = (known: SessionPostings, place: number): SessionPostings | null => {
  const at = known.places.indexOf(place);
  if (known.places.length === 1) return null;
  const others = (numbers: readonly number[]) => numbers.filter((_, index) => index !== at);
  return {
    ...known,
    places: others(known.places),
    counts: others(known.counts),
    words: others(known.words),
    total: known.total - (known.counts[at] ?? 0),
  };
};

const extended = (
  known: SessionPostings | undefined,
  session: number,
  place: number,
  count: number,
  words: number,
): SessionPostings => ({
  session,
  places: [...(known?.places ?? []), place],
  counts: [...(known?.counts ?? []), count],
  words: [...(known?.words ?? []), words],
  total: (known?.total ?? 0) + count,
  sessionWords: known?.sessionWords ?? words,
});
