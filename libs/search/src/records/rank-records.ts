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
  /** Its source turns that matched, by an id of the turn, with their scores. */
  readonly turns: ReadonlyMap<string, number>;
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
const SAME_TURN = 0.1;
/** Weights of a record's matching turns, best first: a question about several things is answered by several turns. */
const TURN_WEIGHTS = [1, 0.5, 0.25];
/** Number of best records that are compared with each other; the others keep their order. */
const MAX_COMPARED = 60;
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
 * @param turnsWeight how much the turns' sums say: see `evidenceWeight`; 0 without turns
 * @param scopeTurns number of turns that were searched; 0 without turns
 * @param comparedMeaning whether the turns' sums include semantic similarity
 */
export const rankRecords = (
  found: readonly FoundRecord[],
  turnsWeight: number,
  scopeTurns: number,
  comparedMeaning = false,
): RankedRecord[] => {
  // Records whose turns are gone may be many.
  const calibration = recordCalibration(comparedMeaning, scopeTurns === 0 ? Infinity : scopeTurns);
  const rated = diversified(found);
  const first = rated[0]?.raw ?? 0;
  const top = Math.max(0, ...found.map(evidenceOf));
  const scored = rated.map(({ record, raw }) => {
    const weight = turnsWeight > 0 ? turnsWeight : Math.sqrt(Math.max(1, record.known));
    const byTurns = raw <= 0 ? 0 : calibrated((top * raw) / first, weight, top, calibration);
    const exponent = record.hasSources ? SHARE_EXPONENT.fromTurns : SHARE_EXPONENT.byHand;
    return { record, score: Math.max(record.hasSources ? byTurns : 0, byWords(record, exponent)) };
  });
  return inOrderOfTurns(scored)
    .map(({ record: { recordId }, score }) => ({ recordId, score }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
};

interface ScoredRecord {
  readonly record: FoundRecord;
  readonly score: number;
}

/** Words alone do not lift a record above another one that ranks higher by its words and turns together. */
const inOrderOfTurns = (scored: readonly ScoredRecord[]): ScoredRecord[] => {
  let least = 0;
  return scored
    .toReversed()
    .map(({ record, score }) => {
      if (!record.hasSources) return { record, score };
      least = Math.max(least, score);
      return { record, score: least };
    })
    .toReversed();
};

/** What a record says about whether there is an answer: its best turn and its own words. */
const evidenceOf = (record: FoundRecord): number =>
  Math.max(0, ...record.turns.values()) + OWN_WEIGHT * saturated(record);

interface RatedRecord {
  readonly record: FoundRecord;
  readonly raw: number;
}

/** Picks the best record again and again. A turn counts less each time that a picked record cites it. */
const diversified = (found: readonly FoundRecord[]): RatedRecord[] => {
  const picks = new Map<string, number>();
  const rate = (record: FoundRecord): RatedRecord => {
    const scores = Array.from(record.turns, ([turn, score]) => score * SAME_TURN ** (picks.get(turn) ?? 0));
    const best = scores.sort((a, b) => b - a).slice(0, TURN_WEIGHTS.length);
    const byTurns = best.reduce((sum, score, at) => sum + score * (TURN_WEIGHTS[at] ?? 0), 0);
    return { record, raw: byTurns + OWN_WEIGHT * saturated(record) };
  };
  const plain = found.map(rate).sort(byRaw);
  let left = plain.slice(0, MAX_COMPARED);
  const picked: RatedRecord[] = [];
  while (left.length > 0) {
    const [best] = left.splice(0, 1) as [RatedRecord];
    picked.push(best);
    const { turns } = best.record;
    if (turns.size === 0) continue;
    for (const turn of turns.keys()) picks.set(turn, (picks.get(turn) ?? 0) + 1);
    if (!left.some(({ record }) => shareTurn(record, turns))) continue;
    left = left.map((rated) => (shareTurn(rated.record, turns) ? rate(rated.record) : rated)).sort(byRaw);
  }
  const least = picked.at(-1)?.raw ?? 0;
  return [...picked, ...plain.slice(MAX_COMPARED).map(({ record, raw }) => ({ record, raw: Math.min(raw, least) }))];
};

const shareTurn = (record: FoundRecord, turns: FoundRecord['turns']): boolean => {
  for (const turn of record.turns.keys()) if (turns.has(turn)) return true;
  return false;
};

const byRaw = (a: RatedRecord, b: RatedRecord): number => b.raw - a.raw;

const saturated = ({ own, words, usualWords }: FoundRecord): number =>
  own / (1 + SATURATION * (1 - LENGTH_PENALTY + (LENGTH_PENALTY * words) / Math.max(1, usualWords)));

/** A single matched word is weak evidence; the more words match, the closer to 1. */
const byWords = ({ own, matched }: FoundRecord, exponent: number): number =>
  Math.min(own ** exponent, 1 - LEFT_BY_A_WORD ** matched);
