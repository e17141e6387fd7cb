/** Weight of a word that a record has in another form, relative to the word as asked. `find_record_words` has the same. */
export const OTHER_FORM = 0.8;

/** Records of a namespace that have words of a query, before the best ones are chosen. */
export interface WordsFound {
  /** Weight of each word of the query; 0 for those that were not searched for. */
  readonly weights: readonly number[];
  /** Weight of the whole query. */
  readonly whole: number;
  /** Number of its words that occur in any record. */
  readonly known: number;
  /** Average number of words in the newest records. */
  readonly usualWords: number;
  readonly records: readonly RecordByWords[];
}

export interface RecordByWords {
  readonly recordId: string;
  /** When it was created, in microseconds since 1970. */
  readonly created: number;
  /** Number of words in the record. */
  readonly words: number;
  /** Weight of the query's words in the record, and how many these are. */
  readonly weight: number;
  readonly matched: number;
  readonly hasSources: boolean;
}

/** A record that cites ranked turns. */
export interface CitingRecord {
  readonly recordId: string;
  /** When it was created, in microseconds since 1970. */
  readonly created: number;
  /** Number of words in the record. */
  readonly words: number;
  /** The query's words in the record, numbered from 1; negative for a word in another form. */
  readonly matched: readonly number[];
  /** The turns that it cites, numbered from 1 in the order in which they were given. */
  readonly turns: readonly number[];
}
