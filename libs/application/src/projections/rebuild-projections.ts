import { checkEvent, isKnownEvent } from '@turnkeeper/contracts';
import { PROJECTED_TYPES, type LogEvent } from '@turnkeeper/domain';
import type { EventStore } from '../log/event-store.port.js';
import type { Replacement, ShadowProjections } from './shadow-projections.port.js';
import type { Transaction } from '../shared/transaction.port.js';
import { projectLogEvent, type ProjectionStores } from './project-log.js';

export interface RebuildProgress {
  /** Everything up to this log position has been projected. */
  readonly position: number;
  readonly head: number;
  /** Number of projected events so far. */
  readonly events: number;
}

export interface RebuildReport extends Replacement {
  readonly events: number;
}

/** Events per transaction. */
const PAGE = 500;

/**
 * Rebuilds all projections from the log next to the live ones and then swaps them. Reads only the log, so no model is
 * called. Reads and writes continue during the rebuild; writes wait during the swap. Rejects, and swaps nothing, if an
 * event violates its schema.
 */
export class RebuildProjections {
  constructor(
    private readonly deps: ProjectionStores & {
      readonly eventStore: Pick<EventStore, 'readLog' | 'headPosition'>;
      readonly shadow: ShadowProjections;
    },
  ) {}

  /** @param options.onlyCompare reports how the projections differ from the log, and changes nothing */
  async execute(
    options: { readonly onlyCompare?: boolean; readonly onProgress?: (progress: RebuildProgress) => void } = {},
  ): Promise<RebuildReport> {
    const { eventStore, shadow } = this.deps;
    const { onlyCompare = false, onProgress = () => undefined } = options;
    await shadow.open();
    try {
      const head = await eventStore.headPosition();
      let position = 0;
      let events = 0;
      let next = eventStore.readLog(position, PAGE, PROJECTED_TYPES);
      for (let more = true; more;) {
        const page = await next;
        if (page.length === PAGE) {
          // Prefetch while this page is written. A failure surfaces at the await.
          next = eventStore.readLog(page.at(-1)?.position ?? position, PAGE, PROJECTED_TYPES);
          next.catch(() => undefined);
        }
        await shadow.run((tx) => this.project(tx, page));
        events += page.length;
        more = page.length === PAGE;
        position = more ? (page.at(-1)?.position ?? position) : Math.max(position, page.at(-1)?.position ?? 0, head);
        onProgress({ position: Math.min(position, head), head, events });
      }
      let late = 0;
      const replacement = await shadow.replace(
        async (tx) => {
          late = await this.catchUp(tx, position);
        },
        { onlyCompare },
      );
      return { ...replacement, events: events + late };
    } finally {
      await shadow.close();
    }
  }

  private async catchUp(tx: Transaction, from: number): Promise<number> {
    let events = 0;
    for (let position = from; ;) {
      const page = await this.deps.eventStore.readLog(position, PAGE, PROJECTED_TYPES);
      await this.project(tx, page);
      events += page.length;
      if (page.length < PAGE) return events;
      position = page.at(-1)?.position ?? position;
    }
  }

  private async project(tx: Transaction, page: Awaited<ReturnType<EventStore['readLog']>>): Promise<void> {
    for (const event of page) {
      checkStored(event);
      await projectLogEvent(this.deps, tx, event);
    }
  }
}

/** Other readers trust stored events. Here they are validated in full, because their rows replace the live ones. */
const checkStored = (event: LogEvent): void => {
  if (!isKnownEvent(event)) return;
  try {
    checkEvent(event);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Event ${event.eventId} at position ${event.position} is invalid. ${why} Nothing was swapped in.`, {
      cause: error,
    });
  }
};
