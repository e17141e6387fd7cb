import type { Appended } from '@turnkeeper/application';
import type { EncodedRequest } from './encode-request.js';

/** A queued request with its promise callbacks. */
export interface Waiting extends EncodedRequest {
  readonly resolve: (appended: Appended) => void;
  readonly reject: (reason: unknown) => void;
}

/** Must not share a batch with another request of its stream: its outcome depends on the preceding events. */
const isExclusive = ({ request }: Waiting): boolean =>
  request.expectedSequence !== undefined || request.events[0]?.type === 'memory.created';

/** Bytes that take as long to store as the fixed work of one more event. */
const BYTES_PER_EVENT = 1_024;

/** The time that a request takes to store, in events of no content. */
const costOf = ({ request, data }: Waiting): number => request.events.length + data.length / BYTES_PER_EVENT;

/** Requests of one tenant, in order. */
interface TenantQueue {
  requests: Waiting[];
  events: number;
  bytes: number;
  /** Cost of what was taken, on a scale shared by all tenants: see `takeBatch`. */
  served: number;
}

/** What `takeBatch` has seen of a tenant's queue. */
interface Turn {
  readonly queue: TenantQueue;
  at: number;
  readonly left: Waiting[];
}

/** Queue of requests, in order within each tenant, that selects the requests to write together. */
export class WaitingRequests {
  private readonly queues = new Map<string, TenantQueue>();
  /** Events, not requests. */
  private events = 0;
  private bytes = 0;
  /** What all tenants in the queue have been served at least; a tenant that joins them starts here. */
  private served = 0;

  get waitingEvents(): number {
    return this.events;
  }

  get waitingBytes(): number {
    return this.bytes;
  }

  /**
   * Whether a tenant's next request must be refused: the queue is full, or half of it belongs to this tenant. The other
   * half is left to the others.
   */
  isFullFor(tenantId: string, maxEvents: number, maxBytes: number): boolean {
    if (this.events >= maxEvents || this.bytes >= maxBytes) return true;
    const own = this.queues.get(tenantId);
    return own !== undefined && (own.events >= maxEvents / 2 || own.bytes >= maxBytes / 2);
  }

  push(waiting: Waiting): void {
    const { tenantId } = waiting.request;
    let queue = this.queues.get(tenantId);
    if (queue === undefined) {
      queue = { requests: [], events: 0, bytes: 0, served: this.served };
      this.queues.set(tenantId, queue);
    }
    if (queue.requests.length === 0) queue.served = Math.max(queue.served, this.served);
    queue.requests.push(waiting);
    this.count(queue, waiting, 1);
  }

  /**
   * Takes the next batch: at most `maxEvents` events and `maxBytes` bytes, unless the first request alone exceeds them.
   * The next request is always of the tenant that was served least, by the cost of its requests; one that had nothing in
   * the queue gains nothing from that. So a small request waits for at most one large one of another
   * tenant, however many of them wait, and a large one gets its turn too.
   *
   * A request that cannot join waits for the next batch, and so do later requests of its stream. This keeps their
   * order.
   */
  takeBatch(maxEvents: number, maxBytes = Number.POSITIVE_INFINITY): Waiting[] {
    const batch: Waiting[] = [];
    const eventIds = new Set<string>();
    /** Streams in the batch; true if the batch has an exclusive request of the stream. */
    const streams = new Map<string, boolean>();
    const deferred = new Set<string>();
    let events = 0;
    let bytes = 0;
    const turns = [...this.queues.values()].map((queue): Turn => ({ queue, at: 0, left: [] }));
    const open = new Set(turns);
    while (open.size > 0) {
      const turn = leastServed(open);
      const waiting = turn.queue.requests[turn.at];
      const { length } = waiting?.request.events ?? [];
      const isTooMuch =
        waiting !== undefined &&
        batch.length > 0 &&
        (events + length > maxEvents || bytes + waiting.data.length > maxBytes);
      if (waiting === undefined || isTooMuch) {
        open.delete(turn);
        continue;
      }
      turn.at += 1;
      const exclusive = streams.get(waiting.stream);
      if (
        deferred.has(waiting.stream) ||
        exclusive === true ||
        (exclusive === false && isExclusive(waiting)) ||
        waiting.request.events.some((event) => eventIds.has(event.eventId))
      ) {
        deferred.add(waiting.stream);
        turn.left.push(waiting);
        continue;
      }
      streams.set(waiting.stream, isExclusive(waiting));
      for (const event of waiting.request.events) eventIds.add(event.eventId);
      batch.push(waiting);
      events += length;
      bytes += waiting.data.length;
      this.served = Math.max(this.served, turn.queue.served);
      turn.queue.served += costOf(waiting);
      this.count(turn.queue, waiting, -1);
    }
    for (const { queue, at, left } of turns) {
      queue.requests = at === queue.requests.length ? left : [...left, ...queue.requests.slice(at)];
    }
    this.forgetIdle();
    return batch;
  }

  /** A tenant is remembered until the others have reached what it was served, or nothing waits. */
  private forgetIdle(): void {
    for (const [tenantId, { requests, served }] of this.queues) {
      if (requests.length === 0 && (served <= this.served || this.events === 0)) this.queues.delete(tenantId);
    }
  }

  private count(queue: TenantQueue, { request, data }: Waiting, sign: 1 | -1): void {
    queue.events += sign * request.events.length;
    queue.bytes += sign * data.length;
    this.events += sign * request.events.length;
    this.bytes += sign * data.length;
  }
}

/** The first in the queue of those served least. */
const leastServed = (turns: ReadonlySet<Turn>): Turn => {
  let least: Turn | undefined;
  for (const turn of turns) if (least === undefined || turn.queue.served < least.queue.served) least = turn;
  return least as Turn;
};
