import type { LogEvent } from '@turnkeeper/domain';
import type { IndexedTurn, Language, SessionPostings, TermPostings, TurnTable } from '@turnkeeper/search';
import type { HeldTurn } from './postings.js';
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

export const NO_TAIL: Tail = { turns: [], words: 0 };

/**
 * Tokenizes messages beyond the index in the same way as the index.
 *
 * @param messages in log order
 * @param placesOf last indexed place of each of their sessions
 */
export const tailOf = (
  messages: readonly LogEvent<'message.appended'>[],
  placesOf: ReadonlyMap<number, number>,
  languages: Map<number, Set<Language>>,
): Tail => {
  const last = new Map(placesOf);
  let words = 0;
  const turns = messages.flatMap((event) => {
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

/** Postings of the indexed turns and of a tail. */
export const withTail = (tail: Tail, terms: readonly TermPostings[]): readonly TermPostings[] => {
  if (tail.turns.length === 0) return terms;
  return terms.map((term) => {
    const postings = new Map(term.postings.map((of) => [of.session, of]));
    let turns = term.turns;
    let sessions = term.sessions;
    for (const { session, place, turn } of tail.turns) {
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
