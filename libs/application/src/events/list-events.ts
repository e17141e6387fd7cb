import type { LogEvent } from '@turnkeeper/domain';
import type { ListEventsParameters } from '@turnkeeper/contracts';
import { requireMemory } from '../memories/require-memory.js';
import type { EventStore, SessionScope } from '../log/event-store.port.js';
import type { MemoryStore } from '../memories/memory-store.port.js';
import type { CountedPage } from '../sessions/session-directory.port.js';

export type ClientEvent = LogEvent<'message.appended'> | LogEvent<'binary.appended'>;

/** Event types that clients append and list, without agents' and derived events. */
export const CLIENT_TYPES = ['message.appended', 'binary.appended'] as const;

/** A page ends at this size regardless of the requested limit, to bound memory. */
const PAGE_BYTES = 8 * 1_048_576;

/** A page of a session's events. */
export interface EventPage extends CountedPage<ClientEvent> {
  /** Value of `after` for the next page; null on the last page. */
  readonly next: number | null;
}

/** Lists a session's messages and binary events by page. */
export class ListEvents {
  constructor(private readonly deps: { readonly eventStore: EventStore; readonly memories: MemoryStore }) {}

  async execute(scope: SessionScope, parameters: ListEventsParameters): Promise<EventPage> {
    const { eventStore, memories } = this.deps;
    await requireMemory(memories, scope.tenantId, scope.memoryId);
    const { page, size, order, after, from = (page - 1) * size } = parameters;
    const filter = {
      types: parameters.type === undefined ? CLIENT_TYPES : ([`${parameters.type}.appended`] as const),
      ...(parameters.fromTimestamp === undefined ? {} : { from: parameters.fromTimestamp }),
      ...(parameters.toTimestamp === undefined ? {} : { to: parameters.toTimestamp }),
    };
    const [{ events, more }, total] = await Promise.all([
      eventStore.readSessionPage(scope, {
        ...filter,
        order: order === 'asc' ? 'oldest-first' : 'newest-first',
        limit: size,
        maxBytes: PAGE_BYTES,
        ...(after === undefined ? { offset: from } : order === 'asc' ? { after } : { before: after }),
      }),
      // No count after a cursor: it would cost more than the page.
      after === undefined ? eventStore.countSession(scope, filter) : null,
    ]);
    return { rows: events as readonly ClientEvent[], total, next: more ? (events.at(-1)?.sequence ?? null) : null };
  }
}
