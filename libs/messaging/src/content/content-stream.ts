import type { LogEvent } from '@turnkeeper/domain';
import { eventStream, type EventStream } from '../event-stream.js';
import { encodeSubjectToken } from '../subjects.js';

/** Header with the position in the log. */
export const POSITION_HEADER = 'Turnkeeper-Position';

const HOUR_MS = 3_600_000;
/** A publish that is repeated within this time is recognized by its id. Short, so that a wiped stream is soon refilled. */
const CONTENT_DEDUP_MS = 5_000;

/**
 * The stream of event contents, separate from the stream of references. Its subjects are
 * `<prefix>_content.<tenant>.<memory>.<type>.<session key>`, where the type has two tokens (`message.appended`) and the
 * key is 0 for events outside a session.
 *
 * @param references the stream of references, which gives the names
 */
export const contentStream = (references: EventStream, retentionHours: number): EventStream =>
  eventStream({
    stream: `${references.name}_CONTENT`,
    subjectPrefix: `${references.subjectPrefix}_content`,
    maxAgeMs: retentionHours * HOUR_MS,
    dedupWindowMs: CONTENT_DEDUP_MS,
    replicas: references.config.num_replicas ?? 1,
    description: 'Events of the log as CloudEvents. A copy: it may be wiped at any time.',
  });

type Place = Pick<LogEvent, 'tenantId' | 'memoryId'>;

const memorySubject = ({ subjectPrefix }: EventStream, { tenantId, memoryId }: Place): string =>
  `${subjectPrefix}.${encodeSubjectToken(tenantId)}.${encodeSubjectToken(memoryId)}`;

const typeTokens = (type: string): string => type.split('.').map(encodeSubjectToken).join('.');

export const contentSubject = (
  stream: EventStream,
  event: Place & { readonly type: string; readonly sessionKey: number | null },
): string => `${memorySubject(stream, event)}.${typeTokens(event.type)}.${event.sessionKey ?? 0}`;

/** Subject filters of a memory's events. */
export const contentFilters = (stream: EventStream, place: Place) => {
  const memory = memorySubject(stream, place);
  return {
    all: `${memory}.>`,
    /** What can be erased one by one: messages and binaries. */
    appended: `${memory}.*.appended.>`,
    ofSession: (sessionKey: number): string => `${memory}.*.*.${sessionKey}`,
    ofType: (type: string): string => `${memory}.${typeTokens(type)}.>`,
  };
};
