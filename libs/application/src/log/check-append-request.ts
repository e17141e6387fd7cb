import { checkEvent } from '@turnkeeper/contracts';
import { EVENT_TRAITS, isUuid, type EventType } from '@turnkeeper/domain';
import type { AppendRequest } from './event-store.port.js';

const FINGERPRINT = /^(?:[0-9a-f]{2})+$/i;
/** Maximum number of events per request. */
const MAX_REQUEST_EVENTS = 1_000;

/** Their data was already parsed at the API boundary by stricter schemas; parsing it again would slow every append. */
const PARSED_AT_THE_EDGE: ReadonlySet<EventType> = new Set(['message.appended', 'binary.appended']);

/**
 * Throws `RangeError` or `EventContractBroken` if our own code built an invalid request. Every store calls this first,
 * because a request may share its SQL statement with requests of other tenants and a malformed one would fail them all.
 * Client input is validated earlier, at the API boundary.
 */
export const checkAppendRequest = (request: AppendRequest): void => {
  const { events } = request;
  const first = events[0];
  if (first === undefined || events.length > MAX_REQUEST_EVENTS) refuse(`1 to ${MAX_REQUEST_EVENTS} events`);
  if (!isUuid(request.tenantId) || !isUuid(request.memoryId)) refuse('UUIDs as tenant and memory id');
  if ((request.actorId === null) !== (request.sessionId === null)) refuse('both actor and session, or neither');
  if (request.fingerprint !== undefined && !FINGERPRINT.test(request.fingerprint)) refuse('a hex fingerprint');
  if (request.expectedSequence !== undefined) {
    if (!Number.isSafeInteger(request.expectedSequence) || request.expectedSequence < 0) refuse('a sequence from 0 on');
    if (request.sessionId === null) refuse('a session where a sequence is expected');
    if (first.type === 'memory.created') refuse('no expected sequence where a memory is created');
  }
  for (const event of events) {
    if (!isUuid(event.eventId)) refuse('UUIDs as event ids');
    if (event.type !== first.type && EVENT_TRAITS[event.type]?.sequenced !== EVENT_TRAITS[first.type]?.sequenced) {
      refuse('events that all take a session sequence, or none of them');
    }
    if (!PARSED_AT_THE_EDGE.has(event.type)) checkEvent(event);
    if (event.type === 'memory.created' && event !== first) refuse('memory.created in the first place');
  }
  if (events.length > 1 && new Set(events.map(({ eventId }) => eventId)).size !== events.length) {
    refuse('different event ids');
  }
};

function refuse(rule: string): never {
  throw new RangeError(`An append needs ${rule}.`);
}
