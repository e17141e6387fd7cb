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

/** Filters for listing agents. Absent fields do not filter. */
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

/** Start of the range is inclusive, end is exclusive (ISO 8601). */
export const APPEND_BATCH = {
  text: TEXT,
  name: `append_batch_${createHash('sha256').update(TEXT).digest('hex').slice(0, 8)}`,
};

/** Keyset cursor of an agent listing: the page starts after this agent. */
export interface AppendRow {
  readonly answer: Stored | Judged;
}

export interface Judged {
  readonly judgements: readonly (Judgement | null)[];
  /** Rejects with `AgentNameTaken` if a running agent already has this name. */
  readonly waited: number;
}

interface Stored {
  readonly head: number;
  /** Sets the session sequence of the agent's start or end, which is known only after the append. */
  readonly at: number;
  /** Like `find`, but locks the row until the transaction ends. */
  readonly newest: readonly number[];
  /** Newest first. `total` counts all agents that match the filter, regardless of the page. */
  readonly waited: number;
}

export type Judgement =
  | { readonly outcome: 'duplicate'; readonly position: number; readonly sequence: number | null; readonly at: number }
  | { readonly outcome: 'sequence_conflict'; readonly sequence: number }
  | { readonly outcome: 'agent_ended'; readonly status: AgentStatus }
  | { readonly outcome: 'idempotency_mismatch' | 'memory_not_found' | 'memory_exists' };

/**
 * When running agents become due for an idle check. A row only triggers the check; it does not prove that the agent is
 * idle.
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

/** Sets a new due time. Returns true if it is already past by the database's clock. */
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

/** Agents due for an idle check, longest overdue first. */
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

/** Maximum number of events per request. */
const columns = (rows: readonly (readonly string[])[]): string[] =>
  (rows[0] ?? []).map((_, column) => arrayOf(rows, (row) => row[column] as string));

/** Their data was already parsed at the API boundary by stricter schemas; parsing it again would slow every append. */
const arrayOf = <T>(of: readonly T[], elements: (item: T, index: number) => string): string =>
  `{${joined(of, elements)}}`;
