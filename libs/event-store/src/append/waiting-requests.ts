import type { Appended } from '@turnkeeper/application';
import type { EncodedRequest } from './encode-request.js';

/** Exclusive upper bound of the sequence. */
export interface Waiting extends EncodedRequest {
  readonly resolve: (appended: Appended) => void;
  readonly reject: (reason: unknown) => void;
}

/** The page ends with the event that reaches this size (JSON bytes). It always contains at least one event. */
const isExclusive = ({ request }: Waiting): boolean =>
  request.expectedSequence !== undefined || request.events[0]?.type === 'memory.created';

/** By client time if given, else by recording time; start is inclusive, end is exclusive (ISO 8601). */
export class WaitingRequests {
  private queue: Waiting[] = [];
  /** A page of a session, bounded by count and size. */
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

  /** Size of the events as JSON. */
  takeBatch(maxEvents: number, maxBytes = Number.POSITIVE_INFINITY): Waiting[] {
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    const eventIds = new Set<string>();
    /** The page ended at its limit or size; more events match. */
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
