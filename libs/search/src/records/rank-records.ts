import { calibrated, recordCalibration } from '../turns/calibrate.js';

/** A record that matches words of a query or has a matching turn as its source. */
export interface FoundRecord {
  readonly recordId: string;
  /** Weighted share of the query's words in the record, 0–1. */
  readonly own: number;
  /** Number of the query's words in the record. */
  readonly matched: number;
  /** Number of words in the record, and the average per record. */
  readonly words: number;
  readonly usualWords: number;
  /** Number of the query's words that occur in any record. */
  readonly known: number;
  /** Best score among its source turns; 0 if none matched. */
  readonly cited: number;
  /** Its source turns that matched. */
  readonly turns: readonly string[];
  /** It has source turns, matched or not. */
  readonly hasSources: boolean;
}

export interface RankedRecord {
  readonly recordId: string;
  /** 0-1. */
  readonly score: number;
}

/** Weight of a record's own words relative to its turns. */
export const OWN_WEIGHT = 0.7;
/** Factor per higher-ranked record with the same source turn, because another turn is more informative. */
const SAME_TURN = 0.7;
const SATURATION = 0.9;
const LENGTH_PENALTY = 0.4;
/**
 * How the share of matched words becomes a score. A manually inserted record has no turns, so half of the words are
 * enough for more than 0.5. A record with turns is also scored by them and needs seven in ten.
 */
const SHARE_EXPONENT = { byHand: 0.7, fromTurns: 2 };
const LEFT_BY_A_WORD = 0.2;

/**
 * Ranks records by their own words and their source turns, best first. In each score, 0.5 is the threshold for
 * relevance.
 *
 * @param knownInTurns number of the query's words that occur in the turns
 * @param comparedMeaning whether the turns' sums include semantic similarity
 */
export const rankRecords = (
  found: readonly FoundRecord[],
  knownInTurns: number,
  comparedMeaning = false,
): RankedRecord[] => {
  const calibration = recordCalibration(comparedMeaning);
  const rated = found
    .map((record) => ({ record, raw: record.cited + OWN_WEIGHT * saturated(record) }))
    .sort((a, b) => b.raw - a.raw);
  const top = rated[0]?.raw ?? 0;
  const seen = new Map<string, number>();
  return rated
    .map(({ record, raw }) => {
      const before = record.turns.length === 0 ? 0 : Math.min(...record.turns.map((turn) => seen.get(turn) ?? 0));
      for (const turn of record.turns) seen.set(turn, (seen.get(turn) ?? 0) + 1);
      const known = Math.max(record.known, knownInTurns);
      const byTurns = calibrated(raw * SAME_TURN ** before, known, top, calibration);
      const exponent = record.hasSources ? SHARE_EXPONENT.fromTurns : SHARE_EXPONENT.byHand;
      return { recordId: record.recordId, score: Math.max(record.hasSources ? byTurns : 0, byWords(record, exponent)) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
};

const saturated = ({ own, words, usualWords }: FoundRecord): number =>
  own / (1 + SATURATION * (1 - LENGTH_PENALTY + (LENGTH_PENALTY * words) / Math.max(1, usualWords)));

/** A single matched word is weak evidence; the more words match, the closer to 1. */
const byWords = ({ own, matched }: FoundRecord, exponent: number): number =>
  Math.min(own ** exponent, 1 - LEFT_BY_A_WORD ** matched);
