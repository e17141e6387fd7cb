import type { JetStreamManager, NatsConnection } from 'nats';
import { DERIVED_TYPES, type LogEvent } from '@turnkeeper/domain';
import type { EventStream } from '../event-stream.js';
import { readHeaders } from '../reconcile/stream-state.js';
import { contentFilters, POSITION_HEADER } from './content-stream.js';

/** Whether copies of earlier events must be removed from the stream before this event is published. */
export const removesContent = (event: LogEvent): boolean =>
  event.type === 'content.erased' ||
  event.type === 'memory.deleted' ||
  (event.type === 'memory.expiry_changed' && event.data.appliedToExisting);

/**
 * Removes what an event makes unreadable: the sessions, the actor's events or the message that were erased, all of a
 * deleted memory, and all of a memory whose events expire sooner than when they were published. After an erasure, the
 * memory's derived events go too, because they may repeat what was erased.
 */
export const eraseContent = async (
  event: LogEvent,
  { connection, jsm, stream }: { connection: NatsConnection; jsm: JetStreamManager; stream: EventStream },
): Promise<void> => {
  const filters = contentFilters(stream, event);
  if (event.type !== 'content.erased') {
    await jsm.streams.purge(stream.name, { filter: filters.all });
    return;
  }
  const { sessionKeys, position } = event.data;
  for (const key of sessionKeys) await jsm.streams.purge(stream.name, { filter: filters.ofSession(key) });
  for (const type of DERIVED_TYPES) await jsm.streams.purge(stream.name, { filter: filters.ofType(type) });
  if (position === null) return;
  const found: number[] = [];
  await readHeaders(connection, jsm, { name: stream.name, filter: filters.appended }, (message) => {
    if (message.headers?.get(POSITION_HEADER) === String(position)) found.push(message.seq);
  });
  for (const sequence of found) await jsm.streams.deleteMessage(stream.name, sequence);
};
