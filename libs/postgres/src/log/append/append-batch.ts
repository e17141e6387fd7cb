import { createHash } from 'node:crypto';
import type { AppendRequest, Appended } from '@turnkeeper/application';
import {
  AgentNotRunning,
  EVENT_TRAITS,
  IdempotencyMismatch,
  MemoryExists,
  MemoryNotFound,
  RepeatOfErased,
  SequenceConflict,
  type AgentStatus,
  type DomainError,
} from '@turnkeeper/domain';
import { joined, type EncodedRequest } from './encode-request.js';

/** Outcome of one request of a batch. `null`: the request itself is fine, but another request blocked the batch. */
export type Outcome = Appended | DomainError | null;

const CASTS = [
  ...[
    'uuid[]',
    'uuid[]',
    'text[]',
    'text[]',
    'bigint[]',
    'text[]',
    'integer[]',
    'boolean[]',
    'uuid[]',
    'text[]',
    'uuid[]',
  ],
  ...['integer[]', 'integer[]', 'uuid[]', 'text[]', 'smallint[]', 'boolean[]', 'timestamptz[]', 'text[]'],
  ...['boolean[]', 'integer[]', 'boolean[]', 'json'],
  'timestamptz',
];
const TEXT = `select append_batch(${CASTS.map((cast, index) => `$${index + 1}::${cast}`).join(', ')}) as answer`;

/** The single append statement. Its name changes with its text so that no connection runs a stale prepared version. */
export const APPEND_BATCH = {
  text: TEXT,
  name: `append_batch_${createHash('sha256').update(TEXT).digest('hex').slice(0, 8)}`,
};

/**
 * Result of the statement: either everything is stored, or nothing is and each request has a verdict.
 */
export interface AppendRow {
  readonly answer: Stored | Judged;
}

export interface Judged {
  readonly judgements: readonly (Judgement | null)[];
  /** Wait for the head of the log, in milliseconds. */
  readonly waited: number;
}

interface Stored {
  readonly head: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Newest sequence of each request's session before the batch. */
  readonly newest: readonly number[];
  /** Wait for the head of the log, in milliseconds. */
  readonly waited: number;
}

type Judgement =
  | { readonly outcome: 'duplicate'; readonly position: number; readonly sequence: number | null; readonly at: number }
  | { readonly outcome: 'sequence_conflict'; readonly sequence: number }
  | { readonly outcome: 'agent_ended'; readonly status: AgentStatus }
  | { readonly outcome: 'idempotency_mismatch' | 'content_erased' | 'memory_not_found' | 'memory_exists' };

/**
 * Encodes the statement's parameters.
 *
 * @param lookAtAll look up every event id, including ids marked as new. Required if an earlier attempt may have been
 *   committed.
 * @param recordedAt recording time of the events; null for the database clock
 */
export const encodeBatch = (
  batch: readonly EncodedRequest[],
  lookAtAll: boolean,
  recordedAt: string | null = null,
): (string | null)[] => {
  const places = placesOf(batch);
  return [
    ...columns(batch.map(({ perRequest }) => perRequest)),
    arrayOf(batch, ({ request }) =>
      request.newIds === true && !lookAtAll ? 'NULL' : (request.events[0]?.eventId ?? 'NULL'),
    ),
    arrayOf(batch, ({ request }, index) => joined(request.events, () => String(index + 1))),
    arrayOf(batch, ({ request }, index) => {
      const place = places[index] ?? null;
      return joined(request.events, (_, further) => (place === null ? 'NULL' : String(place + further)));
    }),
    ...columns(batch.map(({ perEvent }) => perEvent)),
    `[${joined(batch, ({ data }) => data)}]`,
    recordedAt,
  ];
};

/** What an answer is decoded with. */
type PlacedRequest = Pick<EncodedRequest, 'request' | 'stream'>;

/** One outcome per request, in order. The database never returns `null` for all of them. */
export const decodeAnswer = (batch: readonly PlacedRequest[], { answer }: AppendRow): Outcome[] => {
  if (!('judgements' in answer)) return decodeStored(batch, answer);
  const outcomes = batch.map(({ request }, index) => decodeJudgement(request, answer.judgements[index] ?? null));
  if (outcomes.every((outcome) => outcome === null)) {
    throw new Error('append_batch stored nothing and reported no conflict');
  }
  return outcomes;
};

const decodeStored = (batch: readonly PlacedRequest[], { head, at, newest }: Stored): Appended[] => {
  const recordedAt = new Date(at).toISOString();
  const places = placesOf(batch);
  let firstPosition = head + 1;
  return batch.map(({ request: { events } }, index) => {
    const place = places[index] ?? null;
    const appended = {
      firstPosition,
      firstSequence: place === null ? null : (newest[index] as number) + place,
      count: events.length,
      recordedAt,
      duplicate: false,
    };
    firstPosition += events.length;
    return appended;
  });
};

const decodeJudgement = (request: AppendRequest, judgement: Judgement | null): Outcome => {
  switch (judgement?.outcome) {
    case undefined:
      return null;
    case 'duplicate':
      return {
        firstPosition: judgement.position,
        firstSequence: judgement.sequence,
        count: request.events.length,
        recordedAt: new Date(judgement.at).toISOString(),
        duplicate: true,
      };
    case 'sequence_conflict':
      return new SequenceConflict(judgement.sequence);
    case 'agent_ended':
      return new AgentNotRunning(judgement.status);
    case 'idempotency_mismatch':
      return new IdempotencyMismatch();
    case 'content_erased':
      return new RepeatOfErased();
    case 'memory_not_found':
      return new MemoryNotFound();
    case 'memory_exists':
      return new MemoryExists();
  }
};

/**
 * For each request, the 1-based offset of its first event among the batch's events of its session; null if the request
 * takes no sequence number.
 */
const placesOf = (batch: readonly PlacedRequest[]): (number | null)[] => {
  const taken = new Map<string, number>();
  return batch.map(({ request: { sessionId, events }, stream }) => {
    const first = events[0];
    if (sessionId === null || first === undefined || !EVENT_TRAITS[first.type].sequenced) return null;
    const before = taken.get(stream) ?? 0;
    taken.set(stream, before + events.length);
    return before + 1;
  });
};

/** Transposes rows with the same columns into one array per column. */
const columns = (rows: readonly (readonly string[])[]): string[] =>
  (rows[0] ?? []).map((_, column) => arrayOf(rows, (row) => row[column] as string));

/** Postgres array literal. `elements` may return several elements at once. */
const arrayOf = <T>(of: readonly T[], elements: (item: T, index: number) => string): string =>
  `{${joined(of, elements)}}`;
