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

/** FIFO queue of requests that selects the requests to write together. */
export class WaitingRequests {
  private queue: Waiting[] = [];
  /** Events, not requests. */
  private events = 0;
  private bytes = 0;

  get waitingEvents(): number {
    return this.events;
  }

  get waitingBytes(): number {
    return this.bytes;
  }

  push(waiting: Waiting): void {
    this.queue.push(waiting);
    this.events += waiting.request.events.length;
    this.bytes += waiting.data.length;
  }

  /**
   * Takes the next batch: at most `maxEvents` events and `maxBytes` bytes, unless the first request alone exceeds them.
   * A request that cannot join waits for the next batch, and so do later requests of its stream. This keeps their
   * order.
   */
  takeBatch(maxEvents: number, maxBytes = Number.POSITIVE_INFINITY): Waiting[] {
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    const eventIds = new Set<string>();
    /** Streams in the batch; true if the batch has an exclusive request of the stream. */
    const streams = new Map<string, boolean>();
    const deferred = new Set<string>();
    let events = 0;
    let bytes = 0;
    let index = 0;
    for (; index < this.queue.length; index += 1) {
      const waiting = this.queue[index] as Waiting;
      const { length } = waiting.request.events;
      if (batch.length > 0 && (events + length > maxEvents || bytes + waiting.data.length > maxBytes)) break;
      const exclusive = streams.get(waiting.stream);
      if (
        deferred.has(waiting.stream) ||
        exclusive === true ||
        (exclusive === false && isExclusive(waiting)) ||
        waiting.request.events.some((event) => eventIds.has(event.eventId))
      ) {
        deferred.add(waiting.stream);
        left.push(waiting);
        continue;
      }
      streams.set(waiting.stream, isExclusive(waiting));
      for (const event of waiting.request.events) eventIds.add(event.eventId);
      batch.push(waiting);
      events += length;
      bytes += waiting.data.length;
    }
    this.queue = index === this.queue.length ? left : [...left, ...this.queue.slice(index)];
    this.events -= events;
    this.bytes -= bytes;
    return batch;
  }
}
