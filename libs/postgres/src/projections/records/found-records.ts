import { OWN_WEIGHT, type FoundRecord } from '@turnkeeper/search';

/** A row of `find_record_words`. */
export interface WordsFound {
  /** Weight of each word of the query; 0 for those that were not searched for. */
  readonly weights: readonly number[];
  /** Weight of the whole query. */
  readonly whole: number;
  /** Number of its words that occur in any record. */
  readonly known: number;
  readonly usual_words: number;
  /** `id created words weight matched sources …`; the weight is that of the matched words. */
  readonly records: string | null;
}

/** A record before the best ones are chosen. */
interface Candidate extends FoundRecord {
  /** When it was created, in microseconds. */
  readonly created: number;
}

const PER_RECORD = { byWords: 6, byTurns: 5 };

/**
 * The best records by their own words and their best turn: the ones that the ranking compares. The functions in SQL return
 * records in any order, which does not matter: the sort here is total, and each record's words and turns come in the same
 * order, so equal sums are exactly equal.
 *
 * @param citing records that cite turns: `id created words matched turns …`; both lists contain numbers from 1, and a
 *   negative one is a word in another form
 * @param scores of these turns
 */
export const bestFound = (
  words: WordsFound,
  citing: string | null,
  scores: readonly number[],
  most: number,
): FoundRecord[] => {
  const found = new Map<string, Candidate>();
  const fields = fieldsOf(words.records);
  const common = { usualWords: words.usual_words, known: words.known };
  for (let at = 0; at < fields.length; at += PER_RECORD.byWords) {
    const [recordId = '', created, length, weight, matched, sources] = fields.slice(at, at + PER_RECORD.byWords);
    found.set(recordId, {
      ...{ recordId, created: Number(created), words: Number(length), ...common, turns: new Map() },
      ...{ own: Number(weight) / words.whole, matched: Number(matched), hasSources: sources === '1' },
    });
  }
  const cited = fieldsOf(citing);
  for (let at = 0; at < cited.length; at += PER_RECORD.byTurns) {
    const [recordId = '', created, length, matched = '', turns = ''] = cited.slice(at, at + PER_RECORD.byTurns);
    found.set(recordId, {
      ...{ recordId, created: Number(created), words: Number(length), ...common },
      ...(found.get(recordId) ?? ownOf(matched, words)),
      hasSources: true,
      turns: new Map(turns.split(',').map((turn) => [turn, scores[Number(turn) - 1] ?? 0])),
    });
  }
  const plain = ({ own, turns }: FoundRecord): number => Math.max(0, ...turns.values()) + OWN_WEIGHT * own;
  return [...found.values()]
    .map((record) => ({ record, sum: plain(record) }))
    .sort(
      (a, b) =>
        b.sum - a.sum || b.record.created - a.record.created || (a.record.recordId < b.record.recordId ? -1 : 1),
    )
    .slice(0, most)
    .map(({ record }) => record);
};

const fieldsOf = (packed: string | null): string[] => (packed === null ? [] : packed.split(' '));

/** Weight of a word that a record has in another form. */
const OTHER_FORM = 0.8;

const ownOf = (matched: string, { weights, whole }: WordsFound): Pick<FoundRecord, 'own' | 'matched'> => {
  const shares = matched.split(',').map((word) => {
    const place = Number(word);
    return (weights[Math.abs(place) - 1] ?? 0) * (place < 0 ? OTHER_FORM : 1);
  });
  return {
    own: shares.reduce((sum, share) => sum + share, 0) / whole,
    matched: shares.filter((share) => share > 0).length,
  };
};
