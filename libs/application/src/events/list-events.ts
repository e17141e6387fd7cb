import type { LogEvent } from '@turnkeeper/domain';
import type { ListEventsParameters } from '@turnkeeper/contracts';
import { requireMemory } from '../memories/require-memory.js';
import type { EventStore, SessionScope } from '../ports/event-store.port.js';
import type { MemoryStore } from '../ports/memory-store.port.js';
import type { CountedPage } from '../ports/session-directory.port.js';

type ClientEvent = LogEvent<'message.appended'> | LogEvent<'binary.appended'>;

/** The kinds of events that clients append and list; agents' and derived facts are not among them. */
const CLIENT_TYPES = ['message.appended', 'binary.appended'] as const;

/** Where the events of a page are this large the page ends, whatever was asked for: a process has to hold it. */
const PAGE_BYTES = 8 * 1_048_576;

/** A page of a session's events. */
export interface EventPage extends CountedPage<ClientEvent> {
  /** Where to go on with `after`; null when nothing follows. */
  readonly next: number | null;
}

/** Reads a session's messages and binary events page by page. */
export class ListEvents {
  constructor(private readonly deps: { readonly eventStore: EventStore; readonly memories: MemoryStore }) {}

  async execute(scope: SessionScope, parameters: ListEventsParameters): Promise<EventPage> {
    const { eventStore, memories } = this.deps;
    await requireMemory(memories, scope.tenantId, scope.memoryId);
    const { page, size, order, after } = parameters;
    const filter = {
      types: CLIENT_TYPES,
      ...(parameters.fromTimestamp === undefined ? {} : { from: parameters.fromTimestamp }),
      ...(parameters.toTimestamp === undefined ? {} : { to: parameters.toTimestamp }),
    };
    const [{ events, more }, total] = await Promise.all([
      eventStore.readSessionPage(scope, {
        ...filter,
        order: order === 'asc' ? 'oldest-first' : 'newest-first',
        limit: size,
        maxBytes: PAGE_BYTES,
        ...(after === undefined ? { offset: (page - 1) * size } : order === 'asc' ? { after } : { before: after }),
      }),
      // Behind a cursor nothing is counted: that would cost more than the page.
      after === undefined ? eventStore.countSession(scope, filter) : null,
    ]);
    return { rows: events as readonly ClientEvent[], total, next: more ? (events.at(-1)?.sequence ?? null) : null };
  }
}
