import { PROJECTED_TYPES } from '@turnkeeper/domain';
import type { EventStore } from '../ports/event-store.port.js';
import type { Replacement, ShadowProjections } from '../ports/shadow-projections.port.js';
import type { Transaction } from '../ports/transaction.port.js';
import { projectLogEvent, type ProjectionStores } from './project-log.js';

export interface RebuildProgress {
  /** Everything up to this log position is in the new projections. */
  readonly position: number;
  readonly head: number;
  /** Events that change projections, so far. */
  readonly events: number;
}

export interface RebuildReport extends Replacement {
  readonly events: number;
}

/** Events of one transaction. */
const PAGE = 500;

/**
 * Makes every projection anew from the log, beside the old ones, and puts the new ones in their place. Nothing but the
 * log is read, so no model is asked anything. Reads and writes go on meanwhile; writes wait while the places are changed.
 */
export class RebuildProjections {
  constructor(
    private readonly deps: ProjectionStores & {
      readonly eventStore: Pick<EventStore, 'readLog' | 'headPosition'>;
      readonly shadow: ShadowProjections;
    },
  ) {}

  /** @param options.onlyCompare tells how the projections differ from the log, and changes nothing */
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
          // Read while this page is written. A failure shows when it is awaited.
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
    for (const event of page) await projectLogEvent(this.deps, tx, event);
  }
}
