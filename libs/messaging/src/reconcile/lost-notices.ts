import type { EventNotice, EventReference, LogReference } from '@turnkeeper/application';
import type { Coverage } from './coverage.js';

interface Open {
  readonly tenantId: string;
  readonly memoryId: string;
  readonly events: EventReference[];
}

/** Maximum number of events per message if the page ends are unknown. */
const LARGEST_NOTICE = 500;

/**
 * Rebuilds the original notices of events that the stream has lost: one per memory and page. If a page end is unknown,
 * a notice ends where the stream still has an event of the memory, so that no message id covers events that it does not
 * contain.
 */
export class LostNotices {
  private readonly open = new Map<string, Open>();
  private readonly done: EventNotice[] = [];
  private nextEnd = 0;
  missing = 0;

  /** @param pageEnds ascending; `look` must then be called in log order */
  constructor(
    private readonly coverage: Coverage,
    private readonly pageEnds: readonly number[],
  ) {}

  look(reference: LogReference): void {
    const { tenantId, memoryId, ...event } = reference;
    while (this.nextEnd < this.pageEnds.length && (this.pageEnds[this.nextEnd] as number) < event.position) {
      this.closeAll();
      this.nextEnd += 1;
    }
    if (this.coverage.has(memoryId, event)) {
      this.close(memoryId);
      return;
    }
    this.missing += 1;
    let notice = this.open.get(memoryId);
    if (notice === undefined) this.open.set(memoryId, (notice = { tenantId, memoryId, events: [] }));
    notice.events.push(event);
    if (notice.events.length === LARGEST_NOTICE) this.close(memoryId);
  }

  /** Returns the notices completed so far, each once. */
  take(): EventNotice[] {
    return this.done.splice(0);
  }

  /** Returns the rest at the end of the log. */
  end(): EventNotice[] {
    this.closeAll();
    return this.take();
  }

  private close(memoryId: string): void {
    const notice = this.open.get(memoryId);
    if (notice === undefined) return;
    this.open.delete(memoryId);
    this.done.push(notice);
  }

  private closeAll(): void {
    for (const memoryId of [...this.open.keys()]) this.close(memoryId);
  }
}
