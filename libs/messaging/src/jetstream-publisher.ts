import { ErrorCode, headers, type JetStreamClient, type MsgHdrs, type NatsError, type PubAck } from 'nats';
import type { EventNotice, EventPublisher } from '@turnkeeper/application';
import { encodeNotice } from './encode-notice.js';
import { ensureEventStream, type EventStream } from './event-stream.js';
import { EVENTS_HEADER, messageIdOf, tagsOf } from './message-id.js';
import type { NatsConnectionProvider } from './nats-connection.js';
import { memoryEventsSubject } from './subjects.js';

/** JetStream does not accept messages at the moment. Can be retried. */
export class BrokerUnavailable extends Error {
  readonly code = 'broker.unavailable';
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BrokerUnavailable';
  }
}

export interface JetStreamPublisherOptions {
  readonly stream: EventStream;
  /** Timeout for the broker's acknowledgement. Default: 5 s. */
  readonly ackTimeoutMs?: number;
}

/**
 * Publishes notices and waits until the stream has stored them. The message id names the notice's events
 * (`messageIdOf`), so the stream drops repeats within its deduplication window. A missing stream, including one deleted at
 * runtime, is created and the publish is retried.
 */
export class JetStreamPublisher implements EventPublisher {
  private client: JetStreamClient | null = null;

  constructor(
    private readonly broker: NatsConnectionProvider,
    private readonly options: JetStreamPublisherOptions,
  ) {}

  async publish(notices: readonly EventNotice[]): Promise<void> {
    await this.insist(notices);
  }

  private async insist(notices: readonly EventNotice[]): Promise<readonly PubAck[]> {
    if (notices.length === 0) return [];
    // Without this check the client would buffer the request until its timeout and still send it afterwards.
    if (!this.broker.isConnected()) throw new BrokerUnavailable('NATS is not connected.');
    try {
      return await this.publishAll(notices);
    } catch (error) {
      if (!isStreamMissing(error)) throw error;
      await this.ensureStream();
      return this.publishAll(notices);
    }
  }

  /**
   * Republishes notices that the stream has lost. Resolves to the number of notices rejected as duplicates and not
   * stored: the server remembers ids for the deduplication window even if the messages were deleted.
   */
  async republish(notices: readonly EventNotice[]): Promise<number> {
    const acks = await this.insist(notices);
    return acks.filter(({ duplicate }) => duplicate).length;
  }

  /** Creates the stream or updates its settings; `publish` also creates a missing stream. */
  async ensureStream(): Promise<void> {
    const connection = await this.broker.connection();
    const jsm = await connection.jetstreamManager({ checkAPI: false });
    await ensureEventStream(jsm, this.options.stream);
  }

  private async publishAll(notices: readonly EventNotice[]): Promise<readonly PubAck[]> {
    const client = (this.client ??= (await this.broker.connection()).jetstream());
    const timeout = this.options.ackTimeoutMs ?? 5_000;
    const { name, subjectPrefix } = this.options.stream;
    const acks = await Promise.allSettled(
      notices.map((notice) =>
        client.publish(memoryEventsSubject(notice.tenantId, notice.memoryId, subjectPrefix), encodeNotice(notice), {
          msgID: messageIdOf(notice),
          timeout,
          // Otherwise another stream on these subjects could acknowledge instead.
          expect: { streamName: name },
          headers: headersOf(notice),
        }),
      ),
    );
    // Wait for all first: a retry must not overtake a publish of the first round.
    return acks.map((ack) => {
      if (ack.status === 'rejected') throw ack.reason;
      return ack.value;
    });
  }
}

const headersOf = (notice: EventNotice): MsgHdrs => {
  const made = headers();
  made.set(EVENTS_HEADER, tagsOf(notice));
  // W3C Trace Context, as for HTTP.
  if (notice.traceparent !== undefined) made.set('traceparent', notice.traceparent);
  return made;
};

/** No responder on the subject: the stream does not exist, or JetStream is not up yet. */
const isStreamMissing = (error: unknown): boolean => (error as NatsError).code === ErrorCode.NoResponders;
