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
}

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

/** Tokenizes messages in the same way as the index, and gives them the places that it will. */
export const tailOf = (rows: readonly TailRow[]): Tail => {
  const last = new Map<number, number>();
  const languages = new Map<number, Set<Language>>();
  for (const { session_key: key, last_place, session_languages } of rows) {
    if (key === null || last.has(key)) continue;
    last.set(key, last_place ?? 0);
    languages.set(key, new Set(session_languages));
  }
  const turns = [...rows]
    .sort((a, b) => a.position - b.position)
    .flatMap((row): TailTurn[] => {
      const event = eventOf(row) as LogEvent<'message.appended'>;
      if (event.sessionKey === null) return [];
      const turn = indexEvent(event, languages, row.language ?? undefined);
      if (row.place !== null) return [{ event, session: event.sessionKey, place: row.place, turn }];
      if (turn === null) return [];
      const place = (last.get(event.sessionKey) ?? 0) + 1;
      last.set(event.sessionKey, place);
      return [{ event, session: event.sessionKey, place, turn }];
    });
  const indexed = new Set(rows.filter(({ place }) => place !== null).map(({ event_id }) => event_id));
  const added = turns.flatMap((each) =>
    each.turn === null || indexed.has(each.event.eventId) ? [] : [{ ...each, turn: each.turn }],
  );
  return { turns, added, words: added.reduce((sum, { turn }) => sum + wordCount(turn), 0) };
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
      const count = turn?.terms.get(term.term);
      if (turn === null || count === undefined) continue;
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
