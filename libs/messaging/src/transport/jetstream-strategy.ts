import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import { lastValueFrom } from 'rxjs';
import type { EventStream } from '../event-stream.js';
import type { NatsConnectionProvider } from '../nats-connection.js';
import { underPrefix } from '../subjects.js';
import { DurableConsumer, type ConsumerObserver, type ConsumerSettings } from './durable-consumer.js';
import { JetStreamContext } from './jetstream-context.js';

export interface JetStreamStrategyOptions extends ConsumerSettings {
  readonly broker: NatsConnectionProvider;
  readonly stream: EventStream;
  readonly observer?: ConsumerObserver;
  /** How long running handlers may take at shutdown, in milliseconds; called at shutdown. Default: 10 s. */
  readonly closeDeadlineMs?: () => number;
}

/** Second argument of `@EventPattern`: the durable's name and its settings. */
interface HandlerExtras extends ConsumerSettings {
  /** `<app>-<purpose>`. Never rename one: the server stores the consumer's position under this name. */
  readonly durable: string;
  /** The handler gets no data: being woken up is enough. Default: false. */
  readonly headersOnly?: boolean;
}

/**
 * JetStream as a Nest transport: each `@EventPattern<string>('tk.*.*.events', { durable: 'worker-dispatcher' })` is a
 * durable pull consumer. A message is acknowledged after its handler; a failed one is redelivered. `@Payload()` is the
 * message as bytes. Requires `RethrowFilter`; otherwise Nest hides the cause from the observer.
 *
 * `listen` does not wait for NATS: the consumers start once it is up.
 */
export class JetStreamStrategy extends Server implements CustomTransportStrategy {
  /** Failed messages are handled here, so Nest need not report them. */
  override readonly propagatesEventHandlerErrors = true;
  private consumers: readonly DurableConsumer[] = [];

  constructor(private readonly options: JetStreamStrategyOptions) {
    super();
  }

  listen(callback: (error?: unknown) => void): void {
    try {
      this.consumers = [...this.messageHandlers].map(([pattern, handler]) => this.consumerOf(pattern, handler));
    } catch (error) {
      callback(error);
      return;
    }
    for (const consumer of this.consumers) consumer.start();
    callback();
  }

  async close(): Promise<void> {
    const deadlineMs = this.options.closeDeadlineMs?.() ?? 10_000;
    await Promise.all(this.consumers.map((consumer) => consumer.stop(deadlineMs)));
  }

  on(): never {
    throw new Error('JetStreamStrategy has no events: give it an observer.');
  }

  unwrap<T>(): T {
    return this.options.broker as T;
  }

  private consumerOf(pattern: string, handler: MessageHandler): DurableConsumer {
    const extras = (handler.extras ?? {}) as Partial<HandlerExtras>;
    if (handler.isEventHandler !== true) {
      throw new Error(`'${pattern}' is a @MessagePattern: JetStream has no replies, use @EventPattern.`);
    }
    if (extras.durable === undefined) {
      throw new Error(
        `'${pattern}' has no durable name: write @EventPattern<string>('${pattern}', { durable: '<app>-<purpose>' }).`,
      );
    }
    return new DurableConsumer({
      ...this.options,
      ...extras,
      durable: extras.durable,
      filterSubject: underPrefix(pattern, this.options.stream.subjectPrefix),
      handle: async (data, delivery) => {
        const result$ = this.transformToObservable(await handler(data, new JetStreamContext(delivery)));
        await lastValueFrom(result$, { defaultValue: undefined });
      },
    });
  }
}
