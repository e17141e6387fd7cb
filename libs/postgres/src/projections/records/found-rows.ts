import type { CitingRecord, RecordByWords, WordsFound } from '@turnkeeper/search';

/** A row of `find_record_words`. */
export interface WordsRow {
  readonly weights: readonly number[];
  readonly whole: number;
  readonly known: number;
  readonly usual_words: number;
  /** `id created words weight matched sources …`; the weight is that of the matched words. */
  readonly records: string | null;
}

const PER_RECORD = { byWords: 6, byTurns: 5 };

export const wordsFoundOf = ({ weights, whole, known, usual_words, records }: WordsRow): WordsFound => ({
  ...{ weights, whole, known, usualWords: usual_words },
  records: recordsIn(records, PER_RECORD.byWords).map(
    ([recordId = '', created, words, weight, matched, sources]): RecordByWords => ({
      ...{ recordId, created: Number(created), words: Number(words) },
      ...{ weight: Number(weight), matched: Number(matched), hasSources: sources === '1' },
    }),
  ),
});

/** @param packed by `find_citing_records`: `id created words matched turns …`; both lists are separated by commas */
export const citingRecordsOf = (packed: string | null): CitingRecord[] =>
  recordsIn(packed, PER_RECORD.byTurns).map(([recordId = '', created, words, matched, turns]): CitingRecord => ({
    ...{ recordId, created: Number(created), words: Number(words) },
    // 0 is a record without any word of the query.
    ...{ matched: numbersIn(matched).filter((word) => word !== 0), turns: numbersIn(turns) },
  }));

const recordsIn = (packed: string | null, fieldsPerRecord: number): string[][] => {
  if (packed === null) return [];
  const fields = packed.split(' ');
  const records: string[][] = [];
  for (let at = 0; at < fields.length; at += fieldsPerRecord) records.push(fields.slice(at, at + fieldsPerRecord));
  return records;
};

const numbersIn = (list = ''): number[] => list.split(',').map(Number);
