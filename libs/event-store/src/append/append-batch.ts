import { createHash } from 'node:crypto';
import type { AppendRequest, Appended } from '@turnkeeper/application';
import {
  AgentNotRunning,
  EVENT_TRAITS,
  IdempotencyMismatch,
  MemoryExists,
  MemoryNotFound,
  SequenceConflict,
  type AgentStatus,
  type DomainError,
} from '@turnkeeper/domain';
import { joined, type EncodedRequest } from './encode-request.js';

/** What one request of a batch came to; `null`: nothing stands in its way, but something stands in another's. */
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

/** The one statement of the append; the name changes with the text, so that a connection never runs an old one. */
export const APPEND_BATCH = {
  text: TEXT,
  name: `append_batch_${createHash('sha256').update(TEXT).digest('hex').slice(0, 8)}`,
};

/** What the statement answers (migration 0240): all is stored, or nothing is and every request is judged. */
export interface AppendRow {
  readonly answer: Stored | Judged;
}

export interface Judged {
  readonly judgements: readonly (Judgement | null)[];
  /** For the head of the log, in milliseconds. */
  readonly waited: number;
}

interface Stored {
  readonly head: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Of every request's session, before the batch. */
  readonly newest: readonly number[];
  /** For the head of the log, in milliseconds. */
  readonly waited: number;
}

export type Judgement =
  | { readonly outcome: 'duplicate'; readonly position: number; readonly sequence: number | null; readonly at: number }
  | { readonly outcome: 'sequence_conflict'; readonly sequence: number }
  | { readonly outcome: 'agent_ended'; readonly status: AgentStatus }
  | { readonly outcome: 'idempotency_mismatch' | 'memory_not_found' | 'memory_exists' };

/**
 * The statement's parameters.
 *
 * @param lookAtAll look for all event ids, also for those that are said to be new: an earlier try with them may have been
 *   committed
 * @param recordedAt when the events are recorded; null for the database's clock
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

/** One outcome per request, in order; `null` for all of them is never answered. */
export const decodeAnswer = (batch: readonly EncodedRequest[], { answer }: AppendRow): Outcome[] => {
  if (!('judgements' in answer)) return decodeStored(batch, answer);
  const outcomes = batch.map(({ request }, index) => decodeJudgement(request, answer.judgements[index] ?? null));
  if (outcomes.every((outcome) => outcome === null)) {
    throw new Error('append_batch stored nothing, and nothing stood in the way');
  }
  return outcomes;
};

const decodeStored = (batch: readonly EncodedRequest[], { head, at, newest }: Stored): Appended[] => {
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
    case 'memory_not_found':
      return new MemoryNotFound();
    case 'memory_exists':
      return new MemoryExists();
  }
};

/** The place of every request's first event among the batch's of its session, from 1; null where they take no number. */
const placesOf = (batch: readonly EncodedRequest[]): (number | null)[] => {
  const taken = new Map<string, number>();
  return batch.map(({ request: { sessionId, events }, stream }) => {
    const first = events[0];
    if (sessionId === null || first === undefined || !EVENT_TRAITS[first.type].sequenced) return null;
    const before = taken.get(stream) ?? 0;
    taken.set(stream, before + events.length);
    return before + 1;
  });
};

/** One array per column, of rows that have the same columns. */
const columns = (rows: readonly (readonly string[])[]): string[] =>
  (rows[0] ?? []).map((_, column) => arrayOf(rows, (row) => row[column] as string));

/** Postgres' text form of an array, whose elements may come several at a time. */
const arrayOf = <T>(of: readonly T[], elements: (item: T, index: number) => string): string =>
  `{${joined(of, elements)}}`;
