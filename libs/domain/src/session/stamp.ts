/** Smaller values are taken as seconds. As milliseconds, it is a date in 1973. */
const SECONDS_BELOW = 1e11;

/**
 * Converts a platform's timestamp to milliseconds since 1970. Voice platforms document milliseconds but also send
 * seconds (Agora's guide shows both), so the magnitude decides. Timestamps are stored unchanged; use this only for
 * calculations.
 */
export const stampMs = (stamp: number): number => (Math.abs(stamp) < SECONDS_BELOW ? stamp * 1_000 : stamp);
