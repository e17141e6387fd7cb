import { setTimeout } from 'node:timers/promises';
import { headers, type JetStreamManager, type NatsConnection, type NatsError, type StreamState } from 'nats';
import type { LogPage, LogPageRead } from '@turnkeeper/application';
import { cloudEventOf } from '@turnkeeper/contracts';
import { writeJson, type LogEvent } from '@turnkeeper/domain';
import { ensureEventStream, type EventStream } from '../event-stream.js';
import { BrokerUnavailable } from '../jetstream-publisher.js';
import type { NatsConnectionProvider } from '../nats-connection.js';
import { Pulse } from '../relay/pulse.js';
import { contentSubject, POSITION_HEADER } from './content-stream.js';
import { eraseContent, removesContent } from './erase-content.js';
import { newestCommonPosition } from './newest-common.js';

export interface ContentRelayPorts {
  readonly log: {
    readLogPage(after: number, read: LogPageRead): Promise<LogPage>;
    positionSince(ageMs: number): Promise<number>;
    headPosition(): Promise<number>;
  };
  readonly broker: NatsConnectionProvider;
  readonly stream: EventStream;
  /** Only one process should publish. Others that do are rejected by the stream. */
  readonly isLeading: () => boolean;
  /** Milliseconds since 1970 by a clock shared by all processes. */
  readonly nowMs: () => number;
}

export interface ContentRelayObserver {
  published?(events: number): void;
  /** Events that were too old, or would expire while the stream holds them. */
  skipped?(events: number): void;
  /** It is retried after a pause. */
  failed?(error: unknown): void;
}

export interface ContentRelayOptions {
  /** Poll interval of the log in milliseconds. Default: 100 ms. */
  readonly pollMs?: number;
  /** Interval in milliseconds at which an idle relay looks whether the stream was wiped. Default: 10 s. */
  readonly watchMs?: number;
  /** Pause in milliseconds after a failure, and between looks of a process that does not lead. Default: 1 s. */
  readonly retryMs?: number;
}

/** Where publishing continues. */
interface Place {
  position: number;
  /** Sequence of the stream's newest message. Publishing requires it, so that only one process can publish. */
  sequence: number;
  /** Sequence of its oldest message, as far as our own removals and its retention explain it. */
  firstSequence: number;
}

const PAGE: Omit<LogPageRead, 'types' | 'through'> = { limit: 200, maxBytes: 4 * 1_048_576 };

/**
 * Publishes every event of the log as a CloudEvent, in log order. The stream itself is the cursor: its newest message
 * names the position, and each publish requires that message to be the newest. A process that was frozen therefore cannot
 * bring back what was erased in the meantime, and a wiped stream starts again from the beginning of its retention.
 *
 * An event is left out if it was recorded before the retention, or would expire while the stream still holds it.
 */
export class ContentRelay {
  private readonly stopping = new AbortController();
  private readonly news = new Pulse();
  private readonly options: Required<ContentRelayOptions>;
  private running: Promise<void> | null = null;
  private place: Place | null = null;
  private watchedAtMs = 0;

  constructor(
    private readonly ports: ContentRelayPorts,
    options: ContentRelayOptions = {},
    private readonly observer: ContentRelayObserver = {},
  ) {
    this.options = { pollMs: 100, watchMs: 10_000, retryMs: 1_000, ...options };
  }

  start(): void {
    this.running ??= this.run();
  }

  /** The log has grown. */
  notify(): void {
    this.news.fire();
  }

  /** Finishes the page in flight. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.news.fire();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    const { pollMs, retryMs } = this.options;
    while (!signal.aborted) {
      try {
        if (this.ports.isLeading()) {
          if (!(await this.turn())) await this.news.wait(pollMs);
          continue;
        }
      } catch (error) {
        this.observer.failed?.(error);
      }
      this.place = null;
      // Not the pulse: under load it would make every failure an immediate retry.
      await setTimeout(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Publishes one page. Resolves to whether more is waiting. */
  private async turn(): Promise<boolean> {
    const connection = await this.connection();
    const jsm = await connection.jetstreamManager({ checkAPI: false });
    const place = (this.place ??= await this.find(jsm));
    const { events, more } = await this.ports.log.readLogPage(place.position, PAGE);
    const last = events.at(-1);
    if (await this.wasWiped(jsm, place)) {
      this.place = await this.find(jsm, true);
      return true;
    }
    if (last === undefined) return false;
    let batch: LogEvent[] = [];
    for (const event of events) {
      if (removesContent(event)) {
        await this.publish(connection, place, batch);
        batch = [];
        await eraseContent(event, { connection, jsm, stream: this.ports.stream });
        place.firstSequence = firstOf((await jsm.streams.info(this.ports.stream.name)).state);
      }
      batch.push(event);
    }
    await this.publish(connection, place, batch);
    place.position = last.position;
    return more;
  }

  /** @param again republish the whole retention, regardless of what the stream still has */
  private async find(jsm: JetStreamManager, again = false): Promise<Place> {
    const { log, stream } = this.ports;
    await ensureEventStream(jsm, stream);
    const { state } = await jsm.streams.info(stream.name);
    const known = again ? 0 : await newestCommonPosition(jsm, stream, log, state.last_seq);
    const position = Math.max(known, (await log.positionSince(stream.maxAgeMs)) - 1);
    const { state: now } = await jsm.streams.info(stream.name);
    return { position, sequence: state.last_seq, firstSequence: firstOf(now) };
  }

  /** Whether the stream lost messages, other than by their age and to `eraseContent`. */
  private async wasWiped(jsm: JetStreamManager, place: Place): Promise<boolean> {
    const now = performance.now();
    if (now - this.watchedAtMs < this.options.watchMs) return false;
    this.watchedAtMs = now;
    const { stream, nowMs } = this.ports;
    const { state } = await jsm.streams.info(stream.name);
    if (state.last_seq < place.sequence) return true;
    if (state.first_seq <= place.firstSequence) return false;
    place.firstSequence = state.first_seq;
    return state.messages === 0 || Date.parse(String(state.first_ts)) > nowMs() - stream.maxAgeMs + SLACK_MS;
  }

  private async publish(connection: NatsConnection, place: Place, events: readonly LogEvent[]): Promise<void> {
    const { stream, nowMs } = this.ports;
    const now = nowMs();
    const kept = events.filter(({ recordedAt, expiresAt }) => {
      const expires = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
      return Date.parse(recordedAt) > now - stream.maxAgeMs && expires > now + stream.maxAgeMs;
    });
    if (kept.length < events.length) this.observer.skipped?.(events.length - kept.length);
    if (kept.length === 0) return;
    const client = connection.jetstream();
    const maxBytes = (connection.info?.max_payload ?? 1_048_576) - HEADER_BYTES;
    const acks = await Promise.allSettled(
      kept.map((event, index) => {
        const head = headers();
        head.set('Content-Type', 'application/cloudevents+json');
        head.set(POSITION_HEADER, String(event.position));
        return client.publish(contentSubject(stream, event), encoded(event, maxBytes), {
          msgID: `${event.tenantId}:${event.eventId}`,
          headers: head,
          expect: { streamName: stream.name, lastSequence: place.sequence + index },
        });
      }),
    );
    for (const ack of acks) {
      if (ack.status === 'rejected') throw ack.reason;
      // Not stored: the server still remembers a message that is gone. It is published again after the window.
      if (ack.value.duplicate) throw new BrokerUnavailable('The stream refuses a repeated event for a few seconds.');
    }
    place.sequence += kept.length;
    this.observer.published?.(kept.length);
  }

  private async connection(): Promise<NatsConnection> {
    const { broker } = this.ports;
    if (!broker.isConnected()) throw new BrokerUnavailable('NATS is not connected.');
    return broker.connection();
  }
}

/** Sequence of the oldest message; of an empty stream, that of its next one. */
const firstOf = (state: StreamState): number => (state.messages === 0 ? state.last_seq + 1 : state.first_seq);

/** Tolerance for messages that expire early. */
const SLACK_MS = 60_000;
/** Room for the headers of a message, which count towards the server's limit. */
const HEADER_BYTES = 4_096;

const encoded = (event: LogEvent, maxBytes: number): Uint8Array => {
  const whole = new TextEncoder().encode(writeJson(cloudEventOf(event)));
  return whole.length <= maxBytes ? whole : new TextEncoder().encode(writeJson(cloudEventOf(event, false)));
};

/**
 * Deletes the stream, for an installation that publishes references only: erasures would no longer reach its content.
 * Resolves to false if there is none.
 */
export const deleteContentStream = async (broker: NatsConnectionProvider, stream: EventStream): Promise<boolean> => {
  const connection = await broker.connection();
  const jsm = await connection.jetstreamManager({ checkAPI: false });
  return jsm.streams.delete(stream.name).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    return false;
  });
};

const isNotFound = (error: unknown): boolean => (error as NatsError).api_error?.code === 404;
