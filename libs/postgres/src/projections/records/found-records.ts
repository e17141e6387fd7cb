import type { Steps } from '@turnkeeper/domain';
import { OTHER_FORM, OWN_WEIGHT, type CitingRecord, type FoundRecord, type WordsFound } from '@turnkeeper/search';

/** A record before the best ones are chosen. */
interface Candidate extends FoundRecord {
  /** When it was created, in microseconds. */
  readonly created: number;
}

/** Records of a step. */
const PER_STEP = 200;

/**
 * The best records by their own words and their best turn: the ones that the ranking compares. They come in any order,
 * which does not matter: the sort here is total, and each record's words and turns come in the same order, so equal sums
 * are exactly equal.
 *
 * @param citing records that cite turns
 * @param scores of these turns
 */
export function* bestFound(
  words: WordsFound,
  citing: readonly CitingRecord[],
  scores: readonly number[],
  most: number,
): Steps<FoundRecord[]> {
  const found = new Map<string, Candidate>();
  const common = { usualWords: words.usualWords, known: words.known };
  for (const { weight, ...record } of words.records) {
    found.set(record.recordId, { ...record, ...common, own: weight / words.whole, turns: new Map() });
  }
  yield;
  for (const [at, { recordId, created, words: length, matched, turns }] of citing.entries()) {
    if (at % PER_STEP === 0) yield;
    found.set(recordId, {
      ...{ recordId, created, words: length, ...common },
      ...(found.get(recordId) ?? ownOf(matched, words)),
      hasSources: true,
      turns: new Map(turns.map((turn) => [String(turn), scores[turn - 1] ?? 0])),
    });
  }
  const plain = ({ own, turns }: FoundRecord): number => Math.max(0, ...turns.values()) + OWN_WEIGHT * own;
  yield;
  const summed = [...found.values()].map((record) => ({ record, sum: plain(record) }));
  yield;
  return summed
    .sort(
      (a, b) =>
        b.sum - a.sum || b.record.created - a.record.created || (a.record.recordId < b.record.recordId ? -1 : 1),
    )
    .slice(0, most)
    .map(({ record }) => record);
}

const ownOf = (matched: readonly number[], { weights, whole }: WordsFound): Pick<FoundRecord, 'own' | 'matched'> => {
  const shares = matched.map((word) => (weights[Math.abs(word) - 1] ?? 0) * (word < 0 ? OTHER_FORM : 1));
  return {
    own: shares.reduce((sum, share) => sum + share, 0) / whole,
    matched: shares.filter((share) => share > 0).length,
  };
};
