/** Which sum maps to a score of 0.5, and how hits after the best one are scored. */
export interface Calibration {
  /** The evidence that maps to 0.5. */
  readonly even: number;
  /** How much a hit loses for ranking behind the best one, 0–1. */
  readonly behind: number;
}

const BY_WORDS = { turns: 1.03, records: 1.27 };
/** Semantic similarity increases every sum, including those of texts that do not answer. */
const WITH_MEANING = { turns: 1.3, records: 1.25 };

/** Among many turns, the best hit shows whether there is an answer, and other hits may be it. */
const BEHIND = { turns: 0.1, records: 0.04 };
/**
 * Numbers of turns between which this changes. A few turns are all neighbours of the best one, whose words count for them:
 * there, a hit counts as much as its own sum says.
 */
const FEW_TURNS = { from: 30, to: 300 };

const behindIn = (scopeTurns: number, among: number): number => {
  const size = Math.min(FEW_TURNS.to, Math.max(FEW_TURNS.from, scopeTurns)) / FEW_TURNS.from;
  return among ** (Math.log(size) / Math.log(FEW_TURNS.to / FEW_TURNS.from));
};

/**
 * @param comparedMeaning whether the sums include semantic similarity
 * @param scopeTurns number of turns that were searched
 */
export const turnCalibration = (comparedMeaning: boolean, scopeTurns: number): Calibration => ({
  even: BY_WORDS.turns * (comparedMeaning ? WITH_MEANING.turns : 1),
  behind: behindIn(scopeTurns, BEHIND.turns),
});
export const recordCalibration = (comparedMeaning: boolean, scopeTurns: number): Calibration => ({
  even: BY_WORDS.records * (comparedMeaning ? WITH_MEANING.records : 1),
  behind: behindIn(scopeTurns, BEHIND.records),
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
