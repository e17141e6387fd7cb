import { AckPolicy, DeliverPolicy, nanos, type ConsumerMessages, type JetStreamManager, type JsMsg } from 'nats';
import { ensureEventStream, type EventStream } from '../event-stream.js';
import type { NatsConnectionProvider } from '../nats-connection.js';
import type { Delivery } from './jetstream-context.js';

export interface ConsumerSettings {
  /**
   * Ack wait in milliseconds: an unacknowledged message is redelivered to another process after this time. Slow
   * handlers extend it, so it only bounds the delay after a process died. Default: 5 s.
   */
  readonly ackWaitMs?: number;
  /** Unacknowledged messages across all processes of this consumer, all handled concurrently. Default: 64. */
  readonly maxAckPending?: number;
  /** Redelivery backoff in milliseconds; doubles from `first` to `longest`. Default: 250 ms and 30 s. */
  readonly backoffMs?: { readonly first: number; readonly longest: number };
}

/** Callbacks for logs and metrics. */
export interface ConsumerObserver {
  handled?(durable: string): void;
  retried?(durable: string, attempt: number, pauseMs: number, error: unknown): void;
  /** Pulling was interrupted: no connection, or the stream or consumer must be recreated. */
  interrupted?(durable: string, error: unknown): void;
}

export interface DurableConsumerOptions extends ConsumerSettings {
  readonly broker: NatsConnectionProvider;
  readonly stream: EventStream;
  /** `<app>-<purpose>`; processes with the same name share the messages. */
  readonly durable: string;
  readonly filterSubject: string;
  /** Messages come without their data: being woken up is enough. Default: false. */
  readonly headersOnly?: boolean;
  readonly handle: (data: Uint8Array, delivery: Delivery) => Promise<void>;
  readonly observer?: ConsumerObserver;
}

const RETRY_PAUSE_MS = 500;

/**
 * Pulls from a durable consumer until stopped; recreates the stream and the consumer if they are missing. Messages are
 * wake-up calls: the log says what there is to do. So they are handled concurrently and in any order, and one whose
 * handler fails is redelivered until it succeeds or the stream drops it for its age.
 */
export class DurableConsumer {
  private readonly settings: Required<ConsumerSettings>;
  private readonly inHand = new Map<JsMsg, Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly deadline = new AbortController();
  private messages: ConsumerMessages | null = null;
  private running: Promise<void> | null = null;
  private heartbeat: NodeJS.Timeout | null = null;

  constructor(private readonly options: DurableConsumerOptions) {
    this.settings = {
      ackWaitMs: options.ackWaitMs ?? 5_000,
      maxAckPending: options.maxAckPending ?? 64,
      backoffMs: options.backoffMs ?? { first: 250, longest: 30_000 },
    };
  }

  start(): void {
    if (this.running !== null) return;
    this.running = this.run();
    this.heartbeat = setInterval(() => {
      for (const message of this.inHand.keys()) message.working();
    }, this.settings.ackWaitMs / 3);
  }

  /** Takes no new messages and handles the fetched ones. Those not handled by the deadline are redelivered elsewhere. */
  async stop(deadlineMs: number): Promise<void> {
    this.stopping.abort();
    this.messages?.stop();
    const timer = setTimeout(() => this.deadline.abort(), deadlineMs);
    const drained = this.running?.then(() => Promise.all(this.inHand.values()));
    await until(Promise.resolve(drained), this.deadline.signal);
    clearTimeout(timer);
    if (this.heartbeat !== null) clearInterval(this.heartbeat);
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        await this.pull();
      } catch (error) {
        if (this.stopping.signal.aborted) return;
        this.options.observer?.interrupted?.(this.options.durable, error);
        await until(pause(RETRY_PAUSE_MS), this.stopping.signal);
      }
    }
  }

  private async pull(): Promise<void> {
    const { broker, stream, durable } = this.options;
    const connection = await until(broker.connection(), this.stopping.signal);
    if (connection === undefined) return;
    const jsm = await connection.jetstreamManager({ checkAPI: false });
    await ensureEventStream(jsm, stream);
    await this.ensureConsumer(jsm);
    const consumer = await connection.jetstream().consumers.get(stream.name, durable);
    this.messages = await consumer.consume({
      max_messages: this.settings.maxAckPending,
      // A vanished consumer is detected by missing heartbeats: two in a row, each half of this time.
      expires: 4_000,
      abort_on_missing_resource: true,
    });
    if (this.stopping.signal.aborted) this.messages.stop();
    for await (const message of this.messages) {
      // Removed in a later turn even if the handler throws synchronously.
      this.inHand.set(
        message,
        this.settle(message).finally(() => this.inHand.delete(message)),
      );
    }
    const error = await this.messages.closed();
    if (error instanceof Error) throw error;
  }

  private async ensureConsumer(jsm: JetStreamManager): Promise<void> {
    const { stream, durable, filterSubject, headersOnly = false } = this.options;
    const mutable = {
      ack_wait: nanos(this.settings.ackWaitMs),
      max_ack_pending: this.settings.maxAckPending,
      max_deliver: -1,
      filter_subject: filterSubject,
      headers_only: headersOnly,
    };
    const found = await jsm.consumers.info(stream.name, durable).catch((error: unknown) => {
      if (isConsumerMissing(error)) return null;
      throw error;
    });
    if (found === null) {
      await jsm.consumers.add(stream.name, {
        durable_name: durable,
        ack_policy: AckPolicy.Explicit,
        deliver_policy: DeliverPolicy.All,
        ...mutable,
      });
      return;
    }
    // Only if something differs: an update makes the server redeliver some pending messages.
    const config = { headers_only: false, ...found.config };
    const differs = Object.entries(mutable).some(([key, value]) => config[key as keyof typeof mutable] !== value);
    if (differs) await jsm.consumers.update(stream.name, durable, mutable);
  }

  private async settle(message: JsMsg): Promise<void> {
    const { durable, handle, observer } = this.options;
    try {
      try {
        await handle(message.data, {
          subject: message.subject,
          traceparent: message.headers?.get('traceparent') ?? '',
          signal: this.deadline.signal,
        });
        message.ack();
        observer?.handled?.(durable);
      } catch (error) {
        const { first, longest } = this.settings.backoffMs;
        const attempt = message.info.deliveryCount;
        const pauseMs = Math.min(first * 2 ** (attempt - 1), longest);
        message.nak(pauseMs);
        observer?.retried?.(durable, attempt, pauseMs, error);
      }
    } catch (error) {
      // The acknowledgement could not be sent; the message is redelivered after the ack wait.
      observer?.interrupted?.(durable, error);
    }
  }
}

const CONSUMER_NOT_FOUND = 10014;
const isConsumerMissing = (error: unknown): boolean =>
  (error as { api_error?: { err_code?: number } }).api_error?.err_code === CONSUMER_NOT_FOUND;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves to the result of the work, or undefined once the signal is aborted. Leaks no listener. */
const until = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> => {
  if (signal.aborted) return undefined;
  let stop = (): void => undefined;
  const aborted = new Promise<undefined>((resolve) => (stop = () => resolve(undefined)));
  signal.addEventListener('abort', stop);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
};
