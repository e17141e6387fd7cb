/** A word of a query, and in how many records it is. */
export interface CountedWord {
  /** It names whom the records are about, so it tells none of them apart. */
  readonly isSubject: boolean;
  /** 0 for a word that was not searched for. */
  readonly records: number;
  /** How many of these are among the newest records. */
  readonly amongNewest: number;
}

export interface WordWeights {
  /** Of each word, in their order. */
  readonly weights: readonly number[];
  /** Their sum. */
  readonly whole: number;
  /** Number of words that occur in any record and have a weight. */
  readonly known: number;
}

/** Weight of a word that a record has in another form, relative to the word as asked. */
export const OTHER_FORM = 0.8;
/** Newest records whose share of the matching ones tells how many records there are. */
export const MOST_NEWEST = 200;
/** As if the namespace had this many more records: in a namespace of three, every word would be equally rare. */
const MORE_RECORDS = 50;
/** A word of this share of all records is taken for one of their subject, unless there are too few records to tell. */
const SHARE_OF_SUBJECT = 0.9;
const FEWEST_OF_SUBJECT = 3;
const LEAST_WHOLE = 1e-9;
const MOST_WEIGHT = 1e9;

/**
 * Weighs the words of a query by their rarity in a namespace. The SQL function `find_record_words` computes the same, with
 * the same operations in the same order: the score of a record must not depend on where its namespace is held.
 *
 * @param newest number of the newest records, at most `MOST_NEWEST`: fewer are all records
 * @param isOld whether nearly all of the oldest records have this word, too (by its place): the number of records is
 *   estimated from the newest ones, and a word of nearly all of these may be new to the namespace
 */
export const weighWords = (
  words: readonly CountedWord[],
  newest: number,
  isOld: (place: number) => boolean,
): WordWeights => {
  const n = countOf(words, newest);
  const rated = words.map(({ isSubject, records }, place) => ({
    records,
    weight: Math.log(1 + (MORE_RECORDS + Math.max(n, records) - records + 0.5) / (records + 0.5)),
    isOfSubject:
      isSubject ||
      (n >= FEWEST_OF_SUBJECT && records >= SHARE_OF_SUBJECT * n && (newest < MOST_NEWEST || isOld(place))),
  }));
  const onlySubjects = rated.every(({ isOfSubject }) => isOfSubject);
  const knownWeights = rated.filter(({ records, isOfSubject }) => records > 0 && !isOfSubject);
  // A word that is in no record weighs as much as the rarest one that is.
  const most = knownWeights.length === 0 ? MOST_WEIGHT : Math.max(...knownWeights.map(({ weight }) => weight));
  const weights = rated.map(({ weight, isOfSubject }) =>
    isOfSubject && !onlySubjects ? 0 : Math.min(weight, most, MOST_WEIGHT),
  );
  return {
    weights,
    whole: Math.max(LEAST_WHOLE, sumOf(weights)),
    known: rated.filter(({ records }, place) => records > 0 && (weights[place] ?? 0) > 0).length,
  };
};

/** How many records there are: an estimate, because SQL would take longer to count all of them than to search. */
const countOf = (words: readonly CountedWord[], newest: number): number => {
  if (newest < MOST_NEWEST) return newest;
  const records = sumOf(words.map((word) => word.records));
  const amongNewest = sumOf(words.map((word) => word.amongNewest));
  return Math.max(newest, (newest * (records + 1)) / (amongNewest + 1));
};

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
