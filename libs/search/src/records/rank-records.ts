import { calibrated, recordCalibration } from '../turns/calibrate.js';

/** A record that holds words of a query or rests on turns that answer it. */
export interface FoundRecord {
  readonly recordId: string;
  /** Share of the query's weighted words that it holds, 0-1. */
  readonly own: number;
  /** How many of the query's words it holds. */
  readonly matched: number;
  /** How many words it has, and how many a record usually has. */
  readonly words: number;
  readonly usualWords: number;
  /** How many of the query's words any record holds. */
  readonly known: number;
  /** The best of its turns by the recipe; 0 without one. */
  readonly cited: number;
  /** Those of its turns that were found. */
  readonly turns: readonly string[];
  /** It rests on turns, found or not. */
  readonly hasSources: boolean;
}

export interface RankedRecord {
  readonly recordId: string;
  /** 0-1. */
  readonly score: number;
}

/** Weight of a record's own words beside its turns. */
export const OWN_WEIGHT = 0.7;
/** A record counts so much less for every one before it that rests on the same turn: the next turn is worth more. */
const SAME_TURN = 0.7;
const SATURATION = 0.9;
const LENGTH_PENALTY = 0.4;
/**
 * How a share of the query's words becomes a score. A record that was filed by hand has no turns, so half of the words are
 * enough for more than 0.5; one with turns is scored by them as well, and needs seven in ten.
 */
const SHARE_EXPONENT = { byHand: 0.7, fromTurns: 2 };
const LEFT_BY_A_WORD = 0.2;

/**
 * Ranks records by their own words and by the turns that they rest on, best first; each with a score at which 0.5
 * separates.
 *
 * @param knownInTurns how many of the query's words the turns hold
 * @param comparedMeaning whether likeness of meaning is part of the turns' sums
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

/** One word of one is no certainty; the more words agree, the nearer to 1. */
const byWords = ({ own, matched }: FoundRecord, exponent: number): number =>
  Math.min(own ** exponent, 1 - LEFT_BY_A_WORD ** matched);
