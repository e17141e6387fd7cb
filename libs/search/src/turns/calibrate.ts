/** Where what answers a question and what only shares words with it are told apart. */
const EVEN = 0.9;
const STEEPNESS = 3;

/**
 * A recipe's sum as a score between 0 and 1: 0.5 where hits begin to be right more often than not, never 1. A sum says
 * more the more of the question's words are known: a question of one word is soon met whole.
 *
 * @param known how many of the question's words the searched texts hold
 */
export const calibrated = (raw: number, known: number): number => {
  if (raw <= 0) return 0;
  const evidence = (raw * Math.sqrt(Math.max(1, known))) ** STEEPNESS;
  return evidence / (evidence + EVEN ** STEEPNESS);
};
