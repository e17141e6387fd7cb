import { createHash } from 'node:crypto';
import type { AppendRequest, Appended } from '@turnkeeper/application';
import {
  EVENT_TRAITS,
  IdempotencyMismatch,
  MemoryExists,
  MemoryNotFound,
  SequenceConflict,
  type DomainError,
} from '@turnkeeper/domain';

/** What one request of a batch came to. */
export type Outcome = Appended | DomainError;

const CASTS = [
  ...['uuid[]', 'uuid[]', 'text[]', 'text[]', 'bigint[]', 'text[]', 'uuid[]', 'integer[]', 'boolean[]', 'boolean[]'],
  ...['integer[]', 'uuid[]', 'text[]', 'smallint[]', 'boolean[]', 'timestamptz[]', 'json'],
];
const TEXT = `select outcome, first_position::float8, first_sequence::float8,
  (extract(epoch from recorded_at) * 1000)::float8 as recorded_at
  from append_events(${CASTS.map((cast, index) => `$${index + 1}::${cast}`).join(', ')})`;

/** The one statement of the append; the name changes with the text, so that a connection never runs an old one. */
export const APPEND_EVENTS = {
  text: TEXT,
  name: `append_events_${createHash('sha256').update(TEXT).digest('hex').slice(0, 8)}`,
};

export interface AppendRow {
  readonly outcome: string;
  readonly first_position: number | null;
  readonly first_sequence: number | null;
  readonly recorded_at: number | null;
}

/** The statement's parameters, in Postgres' text forms. Requests have passed `checkRequest`. */
export const encodeBatch = (requests: readonly AppendRequest[]): string[] => {
  const perRequest: string[][] = Array.from({ length: 10 }, () => []);
  const perEvent: string[][] = Array.from({ length: 6 }, () => []);
  const data: string[] = [];
  requests.forEach((request, index) => {
    const first = request.events[0];
    if (first === undefined) throw new RangeError('append needs at least one event');
    push(perRequest, [
      request.tenantId,
      request.memoryId,
      quoted(request.actorId),
      quoted(request.sessionId),
      request.expectedSequence === undefined ? 'NULL' : String(request.expectedSequence),
      quoted(request.fingerprint ?? null),
      first.eventId,
      String(request.events.length),
      String(isSequenced(request)),
      String(first.type === 'memory.created'),
    ]);
    for (const event of request.events) {
      push(perEvent, [
        String(index + 1),
        event.eventId,
        event.type,
        String(event.schemaVersion),
        String(EVENT_TRAITS[event.type].expires),
        quoted(event.occurredAt),
      ]);
      data.push(JSON.stringify(event.data));
    }
  });
  return [...perRequest.map(arrayLiteral), ...perEvent.map(arrayLiteral), `[${data.join(',')}]`];
};

/** One outcome per request, in order. */
export const decodeOutcomes = (requests: readonly AppendRequest[], rows: readonly AppendRow[]): Outcome[] => {
  if (rows.length !== requests.length) {
    throw new Error(`append_events answered ${rows.length} rows for ${requests.length} requests`);
  }
  return requests.map((request, index) => decodeOutcome(request, rows[index] as AppendRow));
};

const decodeOutcome = (request: AppendRequest, row: AppendRow): Outcome => {
  switch (row.outcome) {
    case 'appended':
    case 'duplicate':
      return {
        firstPosition: row.first_position as number,
        firstSequence: row.first_sequence,
        count: request.events.length,
        recordedAt: new Date(row.recorded_at as number).toISOString(),
        duplicate: row.outcome === 'duplicate',
      };
    case 'idempotency_mismatch':
      return new IdempotencyMismatch();
    case 'memory_not_found':
      return new MemoryNotFound();
    case 'memory_exists':
      return new MemoryExists();
    case 'sequence_conflict':
      return new SequenceConflict(row.first_sequence as number);
    default:
      throw new Error(`append_events answered an unknown outcome: ${row.outcome}`);
  }
};

/** True when the request's events take numbers of their session. */
export const isSequenced = (request: AppendRequest): boolean =>
  request.sessionId !== null && request.events[0] !== undefined && EVENT_TRAITS[request.events[0].type].sequenced;

const push = (columns: readonly string[][], values: readonly string[]): void => {
  columns.forEach((column, index) => column.push(values[index] as string));
};
const arrayLiteral = (elements: readonly string[]): string => `{${elements.join(',')}}`;
const quoted = (value: string | null): string => {
  if (value === null) return 'NULL';
  return `"${SPECIAL.test(value) ? value.replaceAll(/["\\]/g, (character) => `\\${character}`) : value}"`;
};
const SPECIAL = /["\\]/;
