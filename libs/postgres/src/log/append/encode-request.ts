import type { AppendRequest } from '@turnkeeper/application';
import { atOnce, EVENT_TRAITS, isUserRole, writeJson, type NewEvent, type Steps } from '@turnkeeper/domain';

/** A request with its share of the batch parameters, in Postgres text format. */
export interface EncodedRequest {
  readonly request: AppendRequest;
  /** Ordering scope of requests: a session, or the memory itself for memory-level events. */
  readonly stream: string;
  readonly perRequest: readonly string[];
  /** Same columns for every request; each holds the elements for this request's events. */
  readonly perEvent: readonly string[];
  readonly data: string;
}

/** Postgres text cannot contain NUL, so two sessions never share a stream. */
export const streamOf = ({ memoryId, actorId, sessionId }: AppendRequest): string =>
  sessionId === null ? memoryId : `${memoryId}\0${actorId}\0${sessionId}`;

/** Bytes of events, counted as characters of JSON, that take about a millisecond to write. */
const SLICE_BYTES = 131_072;

/** Expects a request that passed `checkAppendRequest`. */
export const encodeRequest = (request: AppendRequest): EncodedRequest => atOnce(encodeInSlices(request));

/** Like `encodeRequest`, but yields after each slice of a large request, so that its caller can let others go first. */
export function* encodeInSlices(request: AppendRequest): Steps<EncodedRequest> {
  const { events, fingerprint } = request;
  const written: string[] = [];
  let bytes = 0;
  for (const { data } of events) {
    if (bytes > SLICE_BYTES) {
      bytes = 0;
      yield;
    }
    const text = writeJson(data);
    bytes += text.length;
    written.push(text);
  }
  return {
    request,
    stream: streamOf(request),
    perRequest: [
      request.tenantId,
      request.memoryId,
      quoted(request.actorId),
      quoted(request.sessionId),
      String(request.expectedSequence ?? 'NULL'),
      fingerprint ?? 'NULL',
      String(events.length),
      String(events[0]?.type === 'memory.created'),
      request.through?.agentId ?? 'NULL',
      request.through?.status ?? 'NULL',
    ],
    perEvent: [
      joined(events, (event) => event.eventId),
      joined(events, (event) => event.type),
      joined(events, (event) => String(event.schemaVersion)),
      joined(events, (event) => String(EVENT_TRAITS[event.type].expires)),
      joined(events, (event) => quoted(event.occurredAt)),
      joined(events, (_, index) => (index === 0 ? fingerprint : undefined) ?? 'NULL'),
      joined(events, (event) => String(event.type === 'message.appended' && isUserRole(event.data.role))),
      joined(events, (event) => String(daysOf(event) ?? 'NULL')),
      joined(events, (event) => String(event.type === 'memory.expiry_changed' && event.data.appliedToExisting)),
    ],
    data: written.join(','),
  };
}

/** The event retention of the memory that this event sets, in days. */
const daysOf = ({ type, data }: NewEvent): number | null =>
  type === 'memory.created' || type === 'memory.expiry_changed' ? data.eventExpiryDuration : null;

/** Comma-separated elements. */
export const joined = <T>(of: readonly T[], element: (item: T, index: number) => string): string => {
  let text = '';
  of.forEach((item, index) => (text += index === 0 ? element(item, index) : `,${element(item, index)}`));
  return text;
};

const quoted = (value: string | null): string => {
  if (value === null) return 'NULL';
  return `"${SPECIAL.test(value) ? value.replaceAll(/["\\]/g, (character) => `\\${character}`) : value}"`;
};
const SPECIAL = /["\\]/;
