import type { RecordDetails, WindowMessage } from '@turnkeeper/domain';
import type { RecordReader } from '../records/record-reader.port.js';
import type { ExistingRecord } from './extractor.port.js';

/** Maximum number of existing records that a model is shown. */
export const MOST_LISTED = 36;
/** Of these, the newest ones are shown whatever the window is about: they are the most likely to change. */
const MOST_NEWEST = 12;
/** Records found for one message. */
const MOST_PER_MESSAGE = 8;
/** A shorter message ("Yes, please.") finds records by chance. */
const LEAST_LETTERS = 12;
const MOST_SEARCHES = 60;
const AT_ONCE = 4;
/** In characters; a longer message is searched by its beginning. */
const LONGEST_QUERY = 600;

/** Damps the difference between the first ranks of a list (reciprocal rank fusion). */
const RANK_DAMPING = 20;

interface Listed extends Pick<RecordDetails, 'subject' | 'attribute'> {
  readonly recordId: string;
  readonly text: string;
  readonly saidAt: string;
}

/**
 * The current records of a namespace that a window may restate, change or end: all of them if they are few, else the
 * newest, and those that its messages find, each by its own words. Records that several messages find come first.
 */
export const listedRecords = async (
  records: Pick<RecordReader, 'search' | 'newest'>,
  { tenantId, memoryId, namespace }: { tenantId: string; memoryId: string; namespace: string },
  messages: readonly WindowMessage[],
): Promise<ExistingRecord[]> => {
  const newest: readonly Listed[] = await records.newest(tenantId, memoryId, namespace, MOST_LISTED + 1);
  if (newest.length <= MOST_LISTED) return newest.map(existing);
  const queries = [...new Set(messages.map(({ content }) => content.trim().slice(0, LONGEST_QUERY)))]
    .filter((text) => (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= LEAST_LETTERS)
    .slice(-MOST_SEARCHES);
  const found: (readonly Listed[])[] = [];
  for (let from = 0; from < queries.length; from += AT_ONCE)
    found.push(
      ...(await Promise.all(
        queries
          .slice(from, from + AT_ONCE)
          .map((text) =>
            records.search(tenantId, memoryId, namespace, { text, limit: MOST_PER_MESSAGE, scoreThreshold: 0 }),
          ),
      )),
    );
  return merged(newest.slice(0, MOST_NEWEST), found).map(existing);
};

/** The newest ones and the best of what was found. */
const merged = (newest: readonly Listed[], found: readonly (readonly Listed[])[]): Listed[] => {
  const scores = new Map<string, { readonly record: Listed; score: number }>();
  for (const list of found)
    for (const [rank, record] of list.entries()) {
      const known = scores.get(record.recordId) ?? { record, score: 0 };
      known.score += 1 / (RANK_DAMPING + rank);
      scores.set(record.recordId, known);
    }
  const best = [...scores.values()].toSorted((one, other) => other.score - one.score).map(({ record }) => record);
  return [...new Map([...newest, ...best].map((record) => [record.recordId, record])).values()].slice(0, MOST_LISTED);
};

const existing = ({ recordId, text, saidAt, subject, attribute }: Listed): ExistingRecord => ({
  recordId,
  text,
  statedAt: saidAt,
  ...(subject == null ? {} : { subject }),
  ...(attribute == null ? {} : { attribute }),
});
