import type { TurnQuery } from '../query/read-query.js';
import { USUAL_RARITY } from '../text/word-rarity.js';
import type { ScopeSize, TermPostings } from './lexical.js';

/** Rarity of the matched word if there is none, or only words of a date: that of a common verb. */
const LEAST_RARITY = 6;
/** In few turns, words rarely coincide by chance. Fewer and more turns than these count like them. */
const SIZES = { least: 30, usual: 600, most: 3_000 };
const SIZE_EXPONENT = 1.5;
/** Most that the best sum of a question of one word counts: a score of 0.8. A single word is no certain answer. */
const MOST_OF_ONE_WORD = 1.6;

/**
 * How much the sum of the best turn says about whether it answers the question. Grows with:
 *
 * - The number of the question's words, because a question of one word is easily matched in full.
 * - The rarity of the rarest word that occurs in or near the turn: turns that share "go", "time" and "new" with a question
 *   are found for any question.
 *
 * Decreases with the number of turns, because some match by chance.
 *
 * @param best the best turn; undefined if nothing was found
 * @param reach distance up to which words of neighbouring turns count
 */
export const evidenceWeight = (
  query: Pick<TurnQuery, 'rarities'>,
  terms: readonly TermPostings[],
  size: ScopeSize,
  best: { readonly session: number; readonly place: number; readonly raw: number } | undefined,
  reach: number,
): number => {
  if (best === undefined) return 0;
  const near = terms.filter(({ postings }) =>
    postings.some(
      ({ session, places }) =>
        session === best.session && places.some((place) => Math.abs(place - best.place) <= reach),
    ),
  );
  const rarest = Math.max(LEAST_RARITY, ...near.map(({ term }) => query.rarities.get(term) ?? USUAL_RARITY));
  const turns = Math.min(SIZES.most, Math.max(SIZES.least, size.turns));
  const bySize = (Math.log(turns) / Math.log(SIZES.usual)) ** SIZE_EXPONENT;
  const weight = (Math.sqrt(Math.max(1, terms.length)) * (rarest / USUAL_RARITY)) / bySize;
  return terms.length > 1 || best.raw <= 0 ? weight : Math.min(weight, MOST_OF_ONE_WORD / best.raw);
};
