import type { Steps } from '@turnkeeper/domain';
import { scoreWords, type LexicalScore, type ScopeSize, type TermPostings } from './lexical.js';
import type { TurnQuery } from '../query/read-query.js';
import { byRank, scoreTurn, type RankedTurn } from './rank.js';
import type { TurnRecipe } from './recipe.js';
import type { TurnTraits } from './turn.js';

/** Number of lexically best turns that are ranked by the whole recipe. */
const MAX_CANDIDATES = 400;
/** The same if their traits have to be looked up one by one: further turns did not change the first 25 hits. */
export const FEWER_CANDIDATES = 200;

/** Traits of turns by session and position. */
export class TurnTable<T = TurnTraits> {
  private readonly bySession = new Map<number, Map<number, T>>();

  set(session: number, place: number, turn: T): void {
    const places = this.bySession.get(session);
    if (places === undefined) this.bySession.set(session, new Map([[place, turn]]));
    else places.set(place, turn);
  }

  get(session: number, place: number): T | undefined {
    return this.bySession.get(session)?.get(place);
  }

  delete(session: number, place: number): void {
    this.bySession.get(session)?.delete(place);
  }

  /** Turns by session. */
  sessions(): Iterable<readonly [session: number, places: ReadonlyMap<number, T>]> {
    return this.bySession;
  }

  *entries(): Generator<readonly [session: number, place: number, turn: T]> {
    for (const [session, places] of this.sessions()) for (const [place, turn] of places) yield [session, place, turn];
  }
}

/** Candidate turns, selected by their words alone. */
export const candidates = (
  terms: readonly TermPostings[],
  size: ScopeSize,
  recipe: TurnRecipe,
  most = MAX_CANDIDATES,
): Steps<LexicalScore[]> => scoreWords(terms, size, recipe, most);

/**
 * Ranks turns by the whole recipe, best first.
 *
 * @param found lexical scores; those without an entry in `turns` are dropped
 * @param turns turns with known traits; those not in `found` are ranked by their session's words and their traits
 * @param meaningOf weighted similarity to the question; absent without vectors
 */
export const rankTurns = (
  query: TurnQuery,
  found: readonly LexicalScore[],
  turns: TurnTable,
  recipe: TurnRecipe,
  meaningOf?: (session: number, place: number) => number,
): RankedTurn[] => {
  const seen = new Map<number, Set<number>>();
  const inSession = new Map<number, number>();
  for (const score of found) {
    const places = seen.get(score.session);
    if (places === undefined) seen.set(score.session, new Set([score.place]));
    else places.add(score.place);
    inSession.set(score.session, score.inSession);
  }
  const ranked: RankedTurn[] = [];
  const rank = (words: LexicalScore, turn: TurnTraits): void => {
    // The previous turn only matters if it has some of the words.
    const isAnswer = words.before > 0 && turns.get(words.session, words.place - 1)?.hasQuestion === true;
    const meaning = meaningOf?.(words.session, words.place) ?? 0;
    const scored = scoreTurn(query, words, turn, isAnswer, recipe, meaning);
    // Proper nouns or other traits alone do not make a hit.
    if (scored.parts.context + scored.parts.session + scored.parts.date + scored.parts.meaning > 0) ranked.push(scored);
  };
  for (const words of found) {
    const turn = turns.get(words.session, words.place);
    if (turn !== undefined) rank(words, turn);
  }
  const onlyByWords = query.windows.length === 0 && meaningOf === undefined;
  for (const [session, places] of turns.sessions()) {
    const ofSession = inSession.get(session) ?? 0;
    if (onlyByWords && ofSession === 0) continue;
    const ranked = seen.get(session);
    for (const [place, turn] of places) {
      if (ranked?.has(place) === true) continue;
      rank({ session, place, context: 0, own: 0, inSession: ofSession, before: 0, sum: 0 }, turn);
    }
  }
  return ranked.sort(byRank);
};
