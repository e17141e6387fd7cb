import { createHash } from 'node:crypto';
import type { EventNotice } from '@turnkeeper/application';

/** Header with the ends of the ids of a notice's events, so that a comparison with the log needs no bodies. */
export const EVENTS_HEADER = 'Turnkeeper-Events';
/** Characters of an event id in the header: the last ones, which are random or from a hash. */
const TAG_LENGTH = 6;

export const tagOf = (eventId: string): string => eventId.slice(-TAG_LENGTH);

export const tagsOf = ({ events }: EventNotice): string => events.map(({ eventId }) => tagOf(eventId)).join('');

export const hasTag = (tags: string, tag: string): boolean => {
  for (let at = tags.indexOf(tag); at !== -1; at = tags.indexOf(tag, at + 1)) if (at % TAG_LENGTH === 0) return true;
  return false;
};

/**
 * `<memory>:<first>-<last>:<hash of the event ids>`: the same events of the same memory get the same id in every process.
 * After a failover that lost events, others take their positions; the hash tells these apart.
 */
export const messageIdOf = ({ memoryId, events }: EventNotice): string => {
  const hash = createHash('sha256');
  for (const { eventId } of events) hash.update(eventId);
  const range = `${events[0]?.position ?? 0}-${events.at(-1)?.position ?? 0}`;
  return `${memoryId}:${range}:${hash.digest('hex').slice(0, 16)}`;
};

export interface MessageRange {
  readonly memoryId: string;
  readonly first: number;
  readonly last: number;
}

/** Null for an id that no relay made. The hash is absent in ids of earlier versions. */
export const rangeOf = (messageId: string): MessageRange | null => {
  const match = /^([0-9a-f-]{36}):(\d+)-(\d+)(?::[0-9a-f]{16})?$/.exec(messageId);
  if (match === null) return null;
  const [, memoryId = '', first, last] = match;
  return { memoryId, first: Number(first), last: Number(last) };
};
