/** The recipe's sum that counts as even odds. */
const EVEN = 0.5;
const STEEPNESS = 5;

/** A recipe's sum as a score between 0 and 1. */
export const calibrated = (raw: number): number => (raw <= 0 ? 0 : 1 / (1 + Math.exp(-STEEPNESS * (raw - EVEN))));
