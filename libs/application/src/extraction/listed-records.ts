import type { RecordDetails, WindowMessage } from '@turnkeeper/domain';
import type { RecordReader } from '../records/record-reader.port.js';
import type { ExistingRecord } from './extractor.port.js';

/** Maximum number of existing records that a model is shown. */
export const MAX_LISTED = 40;
/**
 * Of these, at most: values of which one is current at a time, such as the name, phone number and address; the first that
 * each message finds; preferences, plans and requests, which may end; and the newest.
 */
const MOST = { values: 8, found: 14, newest: 4 } as const;
const STATES_EACH = { actor: 4, others: 2 } as const;
/** Current values of the actor that are read to find the single ones. */
const MAX_VALUES_READ = 100;
/** Records found for one message. */
const MAX_PER_MESSAGE = 8;
/** A shorter message ("Yes, please.") finds records by chance. */
const LEAST_LETTERS = 12;
const MAX_SEARCHES = 60;
const AT_ONCE = 4;
/** In characters; a longer message is searched by its beginning. */
const LONGEST_QUERY = 600;

interface Listed extends Pick<RecordDetails, 'subject' | 'attribute'> {
  readonly recordId: string;
  readonly namespace: string;
  readonly text: string;
  readonly saidAt: string;
}

type Lists = Pick<RecordReader, 'search' | 'newest' | 'attributesOfActor' | 'statesOfActor'>;

/**
 * The current records of a namespace that a window may restate, change or end: all of them if they are few. Else those
 * that the messages find, each by its own words; and, because what changes is often said in other words (a new phone
 * number shares none with the old one, "I only swim now" none with "goes running"), the values and open states of each
 * speaker, and the newest.
 */
export const listedRecords = async (
  records: Lists,
  scope: { tenantId: string; memoryId: string; actorId: string; namespace: string },
  messages: readonly WindowMessage[],
): Promise<ExistingRecord[]> => {
  const { tenantId, memoryId, actorId, namespace } = scope;
  const newest: readonly Listed[] = await records.newest(tenantId, memoryId, namespace, MAX_LISTED + 1);
  if (newest.length <= MAX_LISTED) return newest.map(existing);
  const queries = [...new Set(messages.map(({ content }) => content.trim().slice(0, LONGEST_QUERY)))]
    .filter((text) => (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= LEAST_LETTERS)
    .slice(-MAX_SEARCHES);
  const found: (readonly Listed[])[] = [];
  for (let from = 0; from < queries.length; from += AT_ONCE)
    found.push(
      ...(await Promise.all(
        queries
          .slice(from, from + AT_ONCE)
          .map((text) =>
            records.search(tenantId, memoryId, namespace, { text, limit: MAX_PER_MESSAGE, scoreThreshold: 0 }),
          ),
      )),
    );
  const single = (await values(records, scope)).filter(({ attribute }) => attribute?.single === true);
  const states = await records.statesOfActor(tenantId, memoryId, actorId, namespace, STATES_EACH);
  const best = byRank(found);
  return distinct([
    ...single.slice(0, MOST.values),
    ...distinct(best).slice(0, MOST.found),
    ...states,
    ...newest.slice(0, MOST.newest),
    ...best,
  ])
    .slice(0, MAX_LISTED)
    .map(existing);
};

type Scope = Parameters<typeof listedRecords>[1];

/** The actor's current typed values in a namespace, newest first. */
export const valuesOfActor = async (
  records: Pick<RecordReader, 'attributesOfActor'>,
  scope: Scope,
): Promise<ExistingRecord[]> => (await values(records, scope)).map(existing);

const values = async (
  records: Pick<RecordReader, 'attributesOfActor'>,
  { tenantId, memoryId, actorId, namespace }: Scope,
): Promise<readonly Listed[]> => {
  const all: readonly Listed[] = await records.attributesOfActor(tenantId, memoryId, actorId, MAX_VALUES_READ);
  return all.filter((record) => record.namespace === namespace);
};

/**
 * What was found, by the best rank in any list. With a sum over the lists, records that every message finds by a common word
 * would displace the only one that a message is about.
 */
const byRank = (found: readonly (readonly Listed[])[]): Listed[] =>
  Array.from({ length: MAX_PER_MESSAGE }, (_, rank) => found.flatMap((list) => list[rank] ?? [])).flat();

const distinct = (records: readonly Listed[]): Listed[] => [
  ...new Map(records.map((record) => [record.recordId, record])).values(),
];

const existing = ({ recordId, text, saidAt, subject, attribute }: Listed): ExistingRecord => ({
  recordId,
  text,
  statedAt: saidAt,
  ...(subject == null ? {} : { subject }),
  ...(attribute == null ? {} : { attribute }),
});
