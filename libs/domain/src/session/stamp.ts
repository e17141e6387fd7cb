/** Ten digits are seconds, thirteen are milliseconds: below this a stamp is taken for seconds. It is 1973 in ms. */
const SECONDS_BELOW = 1e11;

/**
 * A platform's stamp in milliseconds since 1970. Voice platforms say milliseconds and send seconds as well (Agora's
 * guide does both), so the magnitude decides. Stamps are stored as they came; this is for code that computes with them.
 */
export const stampMs = (stamp: number): number => (Math.abs(stamp) < SECONDS_BELOW ? stamp * 1_000 : stamp);
