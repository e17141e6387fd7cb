import type { EventNotice, EventReference } from '@turnkeeper/application';
import { DomainError } from '@turnkeeper/domain';

/**
 * Version of the wire format. Readers reject unknown versions, so that such messages are parked instead of misread.
 */
const NOTICE_VERSION = 1;

export const encodeNotice = (notice: EventNotice): string =>
  JSON.stringify({ v: NOTICE_VERSION, tenantId: notice.tenantId, memoryId: notice.memoryId, events: notice.events });

/** The message is unreadable; a retry does not help. */
export class UnreadableMessage extends DomainError {
  readonly code = 'message.unreadable';
  readonly kind = 'invalid';
  constructor(rule: string) {
    super(`The message cannot be read: ${rule}.`, { rule });
  }
}

/** Decodes the parsed JSON of `encodeNotice`. Throws `UnreadableMessage`. */
export const decodeNotice = (wire: unknown): EventNotice => {
  if (!isRecord(wire)) throw new UnreadableMessage('it is not an object');
  if (wire['v'] !== NOTICE_VERSION) throw new UnreadableMessage(`its version is not ${NOTICE_VERSION}`);
  const { tenantId, memoryId, events } = wire;
  if (typeof tenantId !== 'string' || typeof memoryId !== 'string') {
    throw new UnreadableMessage('tenantId and memoryId must be text');
  }
  if (!Array.isArray(events) || !events.every(isReference)) {
    throw new UnreadableMessage('events must be references');
  }
  return { tenantId, memoryId, events };
};

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const isReference = (value: unknown): value is EventReference =>
  isRecord(value) &&
  Number.isSafeInteger(value['position']) &&
  typeof value['eventId'] === 'string' &&
  typeof value['type'] === 'string' &&
  isIntegerOrNull(value['sessionKey']) &&
  isIntegerOrNull(value['sequence']);

const isIntegerOrNull = (value: unknown): boolean => value === null || Number.isSafeInteger(value);
