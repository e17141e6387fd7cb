import { AckPolicy, DeliverPolicy, nanos, type ConsumerMessages, type JetStreamManager, type JsMsg } from 'nats';
import { dispositionOf, type ParkingLot } from '@turnkeeper/application';
import { UnreadableMessage } from '../event-notice.codec.js';
import { ensureEventStream, type EventStream } from '../event-stream.js';
import type { NatsConnectionProvider } from '../nats-connection.js';
import type { Delivery } from './jetstream-context.js';
import { Lanes } from './lanes.js';

export interface ConsumerSettings {
  /** Maximum concurrent handlers. Messages of one subject are handled sequentially. Default: 16. */
  readonly concurrency?: number;
  /**
   * Ack wait in milliseconds: an unacknowledged message is redelivered to another process after this time. Slow
   * handlers extend it, so it only bounds the delay after a process died. Default: 5 s.
   */
  readonly ackWaitMs?: number;
  /** Unacknowledged messages across all processes of this consumer. Default: 4 × concurrency. */
  readonly maxAckPending?: number;
  /** Maximum deliveries before a failing message is parked as `delivery.exhausted`. Default: 12. */
  readonly maxDeliveries?: number;
  /** Redelivery backoff in milliseconds; doubles from `first` to `longest`. Default: 250 ms and 30 s. */
  readonly backoffMs?: { readonly first: number; readonly longest: number };
}

/** Callbacks for logs and metrics. */
export interface ConsumerObserver {
  handled?(durable: string, ms: number): void;
  retried?(durable: string, attempt: number, pauseMs: number, error: unknown): void;
  parked?(durable: string, code: string, error: unknown): void;
  /** Pulling was interrupted: no connection, or the stream or consumer must be recreated. */
  interrupted?(durable: string, error: unknown): void;
}

export interface DurableConsumerOptions extends ConsumerSettings {
  readonly broker: NatsConnectionProvider;
  readonly stream: EventStream;
  /** `<app>-<purpose>`; processes with the same name share the messages. */
  readonly durable: string;
  readonly filterSubject: string;
  readonly parkingLot: ParkingLot;
  readonly handle: (data: unknown, delivery: Delivery) => Promise<void>;
  readonly observer?: ConsumerObserver;
}

const RETRY_PAUSE_MS = 500;

/** Pulls from a durable consumer until stopped; recreates the stream and the consumer if they are missing. */
export class DurableConsumer {
  private readonly settings: Required<ConsumerSettings>;
  private readonly lanes: Lanes;
  private readonly inHand = new Set<JsMsg>();
  private readonly stopping = new AbortController();
  private readonly deadline = new AbortController();
  private messages: ConsumerMessages | null = null;
  private running: Promise<void> | null = null;
  private heartbeat: NodeJS.Timeout | null = null;

  constructor(private readonly options: DurableConsumerOptions) {
    const concurrency = options.concurrency ?? 16;
    this.settings = {
      concurrency,
      ackWaitMs: options.ackWaitMs ?? 5_000,
      maxAckPending: options.maxAckPending ?? 4 * concurrency,
      maxDeliveries: options.maxDeliveries ?? 12,
      backoffMs: options.backoffMs ?? { first: 250, longest: 30_000 },
    };
    this.lanes = new Lanes(concurrency);
  }

  start(): void {
    if (this.running !== null) return;
    this.running = this.run();
    this.heartbeat = setInterval(() => {
      for (const message of this.inHand) message.working();
    }, this.settings.ackWaitMs / 3);
  }

  /**
   * Takes no new messages and handles the fetched ones. Messages not started at the deadline are redelivered elsewhere.
   */
  async stop(deadlineMs: number): Promise<void> {
    this.stopping.abort();
    this.messages?.stop();
    const timer = setTimeout(() => this.deadline.abort(), deadlineMs);
    const drained = Promise.all([this.running, this.lanes.idle()]);
    await until(drained, this.deadline.signal);
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
      this.inHand.add(message);
      this.lanes.add(message.subject, () => this.settle(message));
    }
    const error = await this.messages.closed();
    if (error instanceof Error) throw error;
  }

  /** No delivery limit on the server, which would drop the message silently; we park it instead. */
  private async ensureConsumer(jsm: JetStreamManager): Promise<void> {
    const { stream, durable, filterSubject } = this.options;
    const mutable = {
      ack_wait: nanos(this.settings.ackWaitMs),
      max_ack_pending: this.settings.maxAckPending,
      max_deliver: -1,
      filter_subject: filterSubject,
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
    const differs = Object.entries(mutable).some(([key, value]) => found.config[key as keyof typeof mutable] !== value);
    if (differs) await jsm.consumers.update(stream.name, durable, mutable);
  }

  private async settle(message: JsMsg): Promise<void> {
    try {
      // Left to the ack wait. A nak would be faster, but 2.9 servers then skip and duplicate messages: they redeliver
      // to the pull that was just closed (seen with 2.9.10).
      if (this.deadline.signal.aborted) return;
      const startedAt = performance.now();
      try {
        await this.options.handle(parse(message), {
          subject: message.subject,
          streamSequence: message.seq,
          attempt: message.info.deliveryCount,
          traceparent: message.headers?.get('traceparent') ?? '',
          signal: this.deadline.signal,
        });
        message.ack();
        this.options.observer?.handled?.(this.options.durable, performance.now() - startedAt);
      } catch (error) {
        await this.dispose(message, error);
      }
    } catch (error) {
      // The acknowledgement could not be sent; the message is redelivered after the ack wait.
      this.options.observer?.interrupted?.(this.options.durable, error);
    } finally {
      this.inHand.delete(message);
    }
  }

  private async dispose(message: JsMsg, error: unknown): Promise<void> {
    const { durable, observer, parkingLot, stream } = this.options;
    const attempt = message.info.deliveryCount;
    const disposition = dispositionOf(error);
    const exhausted = disposition.kind === 'retry' && attempt >= this.settings.maxDeliveries;
    if (disposition.kind === 'retry' && !exhausted) return this.retry(message, error);
    const code = exhausted ? 'delivery.exhausted' : disposition.code;
    try {
      await parkingLot.park({
        source: `jetstream/${stream.name}/${durable}`,
        itemId: message.headers?.get('Nats-Msg-Id') || `${message.seq}@${message.info.timestampNanos}`,
        code,
        error: error instanceof Error ? error.message : String(error),
        payload: message.string(),
        attempts: attempt,
      });
    } catch (parkError) {
      return this.retry(message, parkError);
    }
    // Plain `term`: servers before 2.10 ignore one with a reason and would redeliver the message.
    message.term();
    observer?.parked?.(durable, code, error);
  }

  private retry(message: JsMsg, error: unknown): void {
    const { first, longest } = this.settings.backoffMs;
    const attempt = message.info.deliveryCount;
    const pauseMs = Math.min(first * 2 ** (attempt - 1), longest);
    message.nak(pauseMs);
    this.options.observer?.retried?.(this.options.durable, attempt, pauseMs, error);
  }
}

const parse = (message: JsMsg): unknown => {
  try {
    return message.json();
  } catch {
    throw new UnreadableMessage('it is not JSON');
  }
};

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
