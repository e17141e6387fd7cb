import { dispositionOf, type EventNotice, type EventPublisher } from '@turnkeeper/application';
import { DomainError } from '@turnkeeper/domain';
import type { BusUnderTest, Subscription } from './event-bus.laws.js';
import { InMemoryParkingLot } from './in-memory-parking-lot.js';

interface Message {
  readonly id: string;
  readonly payload: string;
}

class Unreadable extends DomainError {
  readonly code = 'message.unreadable';
  readonly kind = 'invalid';
}

/** In-process publishing with durable subscriptions: deduplicates, retries with growing backoff, parks. */
export class InMemoryEventBus implements EventPublisher, BusUnderTest {
  readonly publisher = this;
  readonly parkingLot = new InMemoryParkingLot();
  readonly maxDeliveries = 4;
  private readonly messages: Message[] = [];
  private readonly durables = new Map<string, Durable>();

  async publish(notices: readonly EventNotice[]): Promise<void> {
    for (const notice of notices) {
      const id = `${notice.memoryId}:${notice.events[0]?.position}-${notice.events.at(-1)?.position}`;
      if (!this.messages.some((message) => message.id === id)) this.store({ id, payload: JSON.stringify(notice) });
    }
  }

  async publishRaw(payload: string): Promise<void> {
    this.store({ id: `raw-${this.messages.length}`, payload });
  }

  async stored(): Promise<number> {
    return this.messages.length;
  }

  async subscribe(name: string, handle: (notice: EventNotice) => Promise<void>): Promise<Subscription> {
    let durable = this.durables.get(name);
    if (durable === undefined) {
      durable = new Durable(name, this.parkingLot, this.maxDeliveries);
      this.durables.set(name, durable);
      for (const message of this.messages) durable.add(message);
    }
    return durable.join(handle);
  }

  async close(): Promise<void> {
    for (const durable of this.durables.values()) durable.close();
  }

  private store(message: Message): void {
    this.messages.push(message);
    for (const durable of this.durables.values()) durable.add(message);
  }
}

/** One position in the stream, shared by all subscribers with its name. */
class Durable {
  private readonly waiting: { message: Message; attempt: number }[] = [];
  private readonly members: ((notice: EventNotice) => Promise<void>)[] = [];
  private busy = false;
  private closed = false;

  constructor(
    private readonly name: string,
    private readonly parkingLot: InMemoryParkingLot,
    private readonly maxDeliveries: number,
  ) {}

  add(message: Message, attempt = 1): void {
    this.waiting.push({ message, attempt });
    void this.work();
  }

  join(handle: (notice: EventNotice) => Promise<void>): Subscription {
    this.members.push(handle);
    void this.work();
    return {
      close: async () => {
        this.members.splice(this.members.indexOf(handle), 1);
      },
    };
  }

  close(): void {
    this.closed = true;
  }

  private async work(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    while (!this.closed && this.members.length > 0) {
      const next = this.waiting.shift();
      if (next === undefined) break;
      const member = this.members.shift();
      if (member !== undefined) this.members.push(member);
      await this.deliver(next.message, next.attempt, member);
    }
    this.busy = false;
  }

  private async deliver(
    message: Message,
    attempt: number,
    handle: ((notice: EventNotice) => Promise<void>) | undefined,
  ): Promise<void> {
    try {
      await handle?.(parse(message.payload));
    } catch (error) {
      const disposition = dispositionOf(error);
      const exhausted = attempt >= this.maxDeliveries;
      if (disposition.kind === 'park' || exhausted) {
        const code = disposition.kind === 'park' ? disposition.code : 'delivery.exhausted';
        const parked = await this.parkingLot
          .park({
            source: `memory/${this.name}`,
            itemId: message.id,
            code,
            error: String(error),
            payload: message.payload,
            attempts: attempt,
          })
          .then(
            () => true,
            () => false,
          );
        if (parked) return;
      }
      setTimeout(() => this.add(message, attempt + 1), 20 * 2 ** attempt);
    }
  }
}

const parse = (payload: string): EventNotice => {
  try {
    return JSON.parse(payload) as EventNotice;
  } catch {
    throw new Unreadable('The message is not JSON.');
  }
};
