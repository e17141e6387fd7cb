import type { AppendRequest } from '@turnkeeper/application';
import { EVENT_TRAITS, isUserRole, type NewEvent } from '@turnkeeper/domain';

/** A request, and its share of a batch's parameters in Postgres' text forms. */
export interface EncodedRequest {
  readonly request: AppendRequest;
  /** What requests are kept in order within: a session, or what is about a memory itself. */
  readonly stream: string;
  readonly perRequest: readonly string[];
  /** The same columns for all requests; in each, the elements of this request's events. */
  readonly perEvent: readonly string[];
  readonly data: string;
}

/** No text that Postgres keeps has a NUL, so no two sessions share a stream. */
export const streamOf = ({ memoryId, actorId, sessionId }: AppendRequest): string =>
  sessionId === null ? memoryId : `${memoryId}\0${actorId}\0${sessionId}`;

/** The request has passed `checkAppendRequest`. */
export const encodeRequest = (request: AppendRequest, stream = streamOf(request)): EncodedRequest => {
  const { events, fingerprint } = request;
  return {
    request,
    stream,
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
    data: joined(events, (event) => JSON.stringify(event.data)),
  };
};

/** What the event sets as the time that its memory's events stay readable, in days. */
const daysOf = ({ type, data }: NewEvent): number | null =>
  type === 'memory.created' || type === 'memory.expiry_changed' ? data.eventExpiryDuration : null;

/** The elements with commas between them. */
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
