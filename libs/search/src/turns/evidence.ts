import type { TurnQuery } from '../query/read-query.js';
import { USUAL_RARITY } from '../text/word-rarity.js';
import type { ScopeSize, TermPostings } from './lexical.js';
import { MIN_TURNS, shareOfMany } from './scope-size.js';

/** Rarity of the matched word if there is none, or only words of a date: that of a common verb. */
const LEAST_RARITY = 6;
/** In few turns, words rarely coincide by chance. More turns than the most count like them. */
const SIZES = { usual: 600, most: 3_000 };
const SIZE_EXPONENT = 1.5;
const WORDS_EXPONENT = 0.5;
/**
 * What else changes from the usual number of turns down to the fewest: common words say less, and the number of the
 * question's words matters less, because even two words rarely coincide there.
 */
const AMONG_FEW = { weight: 1.2, rarityExponent: 1.5, wordsExponent: -0.2 };
/** No turn of a question that names no speaker gets the factor for a speaker's turns. */
const NO_SPEAKER = 1.2;
/** Most that the best sum of a question of one word counts: a score of 0.8. A single word is no certain answer. */
const MAX_OF_ONE_WORD = 1.6;

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
  query: Pick<TurnQuery, 'rarities' | 'speaker'>,
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
  const few = 1 - shareOfMany(size.turns, SIZES.usual);
  const turns = Math.min(SIZES.most, Math.max(MIN_TURNS, size.turns));
  const bySize = AMONG_FEW.weight ** few / (Math.log(turns) / Math.log(SIZES.usual)) ** SIZE_EXPONENT;
  const byRarity = (rarest / USUAL_RARITY) ** (1 + AMONG_FEW.rarityExponent * few);
  const byWords = Math.max(1, terms.length) ** (WORDS_EXPONENT + AMONG_FEW.wordsExponent * few);
  const weight = bySize * byRarity * byWords * (query.speaker === null ? NO_SPEAKER : 1);
  return terms.length > 1 || best.raw <= 0 ? weight : Math.min(weight, MAX_OF_ONE_WORD / best.raw);
};
