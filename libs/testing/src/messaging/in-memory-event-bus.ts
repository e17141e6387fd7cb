import type { EventNotice, EventPublisher } from '@turnkeeper/application';
import type { BusUnderTest, Subscription } from './event-bus.laws.js';

type Handle = (notice: EventNotice) => Promise<void>;

const idOf = ({ memoryId, events }: EventNotice): string =>
  [memoryId, ...events.map(({ position, eventId }) => `${position}:${eventId}`)].join();

/** In-process publishing with durable subscriptions: deduplicates, and redelivers with growing backoff. */
export class InMemoryEventBus implements EventPublisher, BusUnderTest {
  readonly publisher = this;
  private readonly messages = new Map<string, EventNotice>();
  private readonly durables = new Map<string, Durable>();

  async publish(notices: readonly EventNotice[]): Promise<void> {
    for (const notice of notices) {
      if (this.messages.has(idOf(notice))) continue;
      this.messages.set(idOf(notice), notice);
      for (const durable of this.durables.values()) durable.deliver(notice);
    }
  }

  async stored(): Promise<number> {
    return this.messages.size;
  }

  async subscribe(name: string, handle: Handle): Promise<Subscription> {
    let durable = this.durables.get(name);
    if (durable === undefined) {
      durable = new Durable();
      this.durables.set(name, durable);
      for (const notice of this.messages.values()) durable.deliver(notice);
    }
    return durable.join(handle);
  }

  async close(): Promise<void> {
    for (const durable of this.durables.values()) durable.close();
  }
}

/** One position in the stream, shared by all subscribers with its name. */
class Durable {
  private readonly waiting: { readonly notice: EventNotice; readonly attempt: number }[] = [];
  private readonly members: Handle[] = [];
  private closed = false;

  deliver(notice: EventNotice, attempt = 1): void {
    const member = this.members.shift();
    if (member === undefined) {
      this.waiting.push({ notice, attempt });
      return;
    }
    this.members.push(member);
    member(notice).catch(() => setTimeout(() => this.closed || this.deliver(notice, attempt + 1), 20 * 2 ** attempt));
  }

  join(handle: Handle): Subscription {
    this.members.push(handle);
    for (const { notice, attempt } of this.waiting.splice(0)) this.deliver(notice, attempt);
    return {
      close: async () => {
        this.members.splice(this.members.indexOf(handle), 1);
      },
    };
  }

  close(): void {
    this.closed = true;
  }
}
