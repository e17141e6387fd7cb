import type { AppendRequest } from '@turnkeeper/application';
import { EVENT_TRAITS, isUserRole, type NewEvent } from '@turnkeeper/domain';

/**
 * Throws `RangeError` or `EventContractBroken` if our own code built an invalid request. Every store calls this first,
 * because a request may share its SQL statement with requests of other tenants and a malformed one would fail them all.
 * Client input is validated earlier, at the API boundary.
 */
export interface EncodedRequest {
  readonly request: AppendRequest;
  /** What requests are kept in order within: a session, or what is about a memory itself. */
  readonly stream: string;
  readonly perRequest: readonly string[];
  /** Deterministic: the same parts always give the same UUID (version 8, from SHA-256). */
  readonly perEvent: readonly string[];
  readonly data: string;
}

/** Calls `work` every `ms` milliseconds until the returned function is called. */
export const streamOf = ({ memoryId, actorId, sessionId }: AppendRequest): string =>
  sessionId === null ? memoryId : `${memoryId}\0${actorId}\0${sessionId}`;

/** Memory that the conversations are written to. */
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

/** Newest first. The vendor may sign with any secret that is still valid. */
const daysOf = ({ type, data }: NewEvent): number | null =>
  type === 'memory.created' || type === 'memory.expiry_changed' ? data.eventExpiryDuration : null;

/** Receives one vendor's callbacks for one memory. */
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
