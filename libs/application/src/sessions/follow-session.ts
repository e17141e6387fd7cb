import { SessionNotFound } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { CLIENT_TYPES, type ClientEvent } from '../events/list-events.js';
import { requireMemory } from '../memories/require-memory.js';
import type { MemoryScope, SessionScope } from '../log/event-store.port.js';
import type { SessionPulse } from './session-pulses.port.js';
import { NoSummaryStrategy, type MemoryState, type ReadMemoryState } from '../rolling-memory/read-memory-state.js';
import type { SessionWatch } from './session-watch.js';

/** An update, or `up to date`: sent after all updates, and every 15 seconds without one. */
export type Followed<T> = T | 'up to date';

/** Size of a page, to bound the memory of a stream. */
const PAGE = { limit: 100, maxBytes: 1_048_576 };

/** Follows a session until the signal aborts. The session may be unknown at first; its memory must exist. */
export class FollowSession {
  constructor(
    private readonly deps: Pick<Ports, 'memories' | 'eventStore'> & {
      readonly watch: SessionWatch;
      readonly readMemoryState: Pick<ReadMemoryState, 'execute'>;
    },
  ) {}

  /** Rejects with `MemoryNotFound`. */
  async check({ tenantId, memoryId }: MemoryScope): Promise<void> {
    await requireMemory(this.deps.memories, tenantId, memoryId);
  }

  /** The session's messages and binary events with a sequence above `after`, in order and each once. */
  async *events(scope: SessionScope, after: number, signal: AbortSignal): AsyncGenerator<Followed<ClientEvent>> {
    const { eventStore } = this.deps;
    let last = after;
    let newest = 0;
    for await (const { sequence } of this.pulses(scope, signal)) {
      // The session was erased: a new one with its name counts from 1 again.
      if (sequence === 0 && newest > 0) last = 0;
      newest = sequence;
      for (let more = sequence > last; more && !signal.aborted;) {
        const page = await eventStore.readSessionPage(scope, {
          ...PAGE,
          types: CLIENT_TYPES,
          order: 'oldest-first',
          after: last,
        });
        for (const event of page.events as readonly ClientEvent[]) {
          last = event.sequence ?? last;
          yield event;
        }
        more = page.more;
      }
      yield 'up to date';
    }
  }

  /** The session's rolling memory, whenever its version is another than the one known. */
  async *memoryStates(
    scope: SessionScope,
    knownVersion: number,
    signal: AbortSignal,
  ): AsyncGenerator<Followed<MemoryState>> {
    let version = knownVersion;
    let seen: string | null = null;
    for await (const { memory } of this.pulses(scope, signal)) {
      // Unlike events, states are expensive to read, and most events do not change them.
      if (memory !== seen) {
        seen = memory;
        const state = await this.stateOf(scope);
        if (state !== null && state.version > 0 && state.version !== version) {
          version = state.version;
          yield state;
        }
      }
      yield 'up to date';
    }
  }

  private async *pulses(scope: SessionScope, signal: AbortSignal): AsyncGenerator<SessionPulse> {
    let seen: SessionPulse | null = null;
    while ((seen = await this.deps.watch.next(scope, seen, signal)) !== null) yield seen;
  }

  /** Null while the session has none. */
  private async stateOf(scope: SessionScope): Promise<MemoryState | null> {
    try {
      return await this.deps.readMemoryState.execute(scope);
    } catch (error) {
      if (error instanceof NoSummaryStrategy || error instanceof SessionNotFound) return null;
      throw error;
    }
  }
}
