import { shareOfMany } from './scope-size.js';

/** Which sum maps to a score of 0.5, and how hits after the best one are scored. */
export interface Calibration {
  /** The evidence that maps to 0.5. */
  readonly even: number;
  /** How much a hit loses for ranking behind the best one, 0–1. */
  readonly behind: number;
}

const BY_WORDS = { turns: 1.04, records: 1.27 };
/** Semantic similarity increases every sum, including those of texts that do not answer. */
const WITH_MEANING = { turns: 1.3, records: 1.25 };

/**
 * Among many turns, the best hit shows whether there is an answer, and other hits may be it. A few turns are all neighbours
 * of the best one, whose words count for them: there, a hit counts more by its own sum. Records that cite the same exchange
 * still follow the best of them.
 */
const BEHIND = { turns: { few: 1, many: 0.1 }, records: { few: 0.75, many: 0.04 } };
/** From this number of turns on, there are many. */
const MANY_TURNS = 300;
/** Of a few turns' records, hardly any cites a turn that the question's words lead to by chance. */
const RECORDS_OF_FEW = 0.85;

const between = ({ few, many }: { readonly few: number; readonly many: number }, scopeTurns: number): number =>
  few * (many / few) ** shareOfMany(scopeTurns, MANY_TURNS);

/**
 * @param comparedMeaning whether the sums include semantic similarity
 * @param scopeTurns number of turns that were searched
 */
export const turnCalibration = (comparedMeaning: boolean, scopeTurns: number): Calibration => ({
  even: BY_WORDS.turns * (comparedMeaning ? WITH_MEANING.turns : 1),
  behind: between(BEHIND.turns, scopeTurns),
});
export const recordCalibration = (comparedMeaning: boolean, scopeTurns: number): Calibration => ({
  even:
    BY_WORDS.records *
    between({ few: RECORDS_OF_FEW, many: 1 }, scopeTurns) *
    (comparedMeaning ? WITH_MEANING.records : 1),
  behind: between(BEHIND.records, scopeTurns),
});
const STEEPNESS = 3;

/**
 * Maps a recipe's sum to a score between 0 and 1. At 0.5 and above, the searched texts probably contain an answer, and
 * this hit is close to the best one.
 *
 * @param weight how much the best sum says about that: see `evidenceWeight`
 * @param best sum of the best hit for the same question
 */
export const calibrated = (raw: number, weight: number, best: number, { even, behind }: Calibration): number => {
  if (raw <= 0) return 0;
  const evidence = (best * (raw / best) ** behind * weight) ** STEEPNESS;
  return evidence / (evidence + even ** STEEPNESS);
};
