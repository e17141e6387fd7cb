/** Where a score of 0.5 lies, and how hits behind the best one are scored. */
export interface Calibration {
  /** Evidence at which the score is 0.5. */
  readonly even: number;
  /** How much a hit loses for being behind the best one, 0-1: little, because the best hit tells whether there is an answer. */
  readonly behind: number;
}

const BY_WORDS = { turns: 1.04, records: 1.15 };
/** Likeness of meaning adds to every sum, also to those of texts that do not answer. */
const WITH_MEANING = 1.2;

/** @param comparedMeaning whether likeness of meaning is part of the sums */
export const turnCalibration = (comparedMeaning: boolean): Calibration => ({
  even: BY_WORDS.turns * (comparedMeaning ? WITH_MEANING : 1),
  behind: 0.1,
});
export const recordCalibration = (comparedMeaning: boolean): Calibration => ({
  even: BY_WORDS.records * (comparedMeaning ? WITH_MEANING : 1),
  behind: 0.3,
});
const STEEPNESS = 3;

/**
 * A recipe's sum as a score between 0 and 1. At 0.5 and above the question most likely has an answer among the searched
 * texts, and this hit is near the best one. A sum means more the more of the question's words are known: a question of one
 * word is soon matched whole.
 *
 * @param known how many of the question's words the searched texts hold
 * @param best the sum of the best hit for the same question
 */
export const calibrated = (raw: number, known: number, best: number, { even, behind }: Calibration): number => {
  if (raw <= 0) return 0;
  const evidence = (best * (raw / best) ** behind * Math.sqrt(Math.max(1, known))) ** STEEPNESS;
  return evidence / (evidence + even ** STEEPNESS);
};
