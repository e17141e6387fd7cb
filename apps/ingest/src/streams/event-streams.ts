import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import type { Followed } from '@turnkeeper/application';
import type { Logger } from '@turnkeeper/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Admitted } from '../edge/admit-on-headers.js';
import type { InFlight } from '../limits/in-flight.js';

/** One event of a stream. */
export interface StreamEvent {
  /** Clients send it as `Last-Event-ID` when they reconnect. */
  readonly id: number;
  readonly data: object;
}

/** How often a stream checks that its caller is still allowed to read. */
const CHECK_EVERY_MS = 15_000;
/** How long clients wait before they reconnect. */
const RETRY_MS = 1_000;

/**
 * Responses with server-sent events, which stay open. They are pull-based: a slow client holds one page in memory, and a
 * client that does not read at all is disconnected like any idle connection. Without connections nothing runs.
 */
export class EventStreams {
  private readonly closing = new AbortController();

  constructor(
    private readonly deps: {
      readonly slots: Pick<InFlight, 'begin' | 'end'>;
      /** Rejects once the caller is no longer allowed to read. */
      readonly stillAllowed: (request: FastifyRequest & Admitted) => Promise<void>;
      readonly logger: Pick<Logger, 'warn'>;
      /** Monotonic clock in milliseconds. */
      readonly monotonicMs?: () => number;
    },
  ) {}

  /**
   * Opens a stream, or throws `TooManyStreams`.
   *
   * @param follow yields what is sent, until the signal aborts
   */
  open<T>(
    request: FastifyRequest & Admitted,
    reply: FastifyReply,
    follow: (signal: AbortSignal) => AsyncIterable<Followed<T>>,
    eventOf: (item: T) => StreamEvent,
  ): StreamableFile {
    const tenantId = request.tenantId ?? '';
    this.deps.slots.begin(tenantId);
    const gone = new AbortController();
    const close = (): void => gone.abort();
    this.closing.signal.addEventListener('abort', close, { once: true });
    if (this.closing.signal.aborted) close();
    // `close` fires once per response, whether it ended or the client disconnected.
    reply.raw.once('close', () => {
      this.closing.signal.removeEventListener('abort', close);
      close();
      this.deps.slots.end(tenantId);
    });
    void reply.header('x-accel-buffering', 'no');
    const text = this.textOf(request, follow(gone.signal), gone.signal, eventOf);
    return new StreamableFile(Readable.from(text, { objectMode: false }), { type: 'text/event-stream' });
  }

  /** Ends all streams; their clients reconnect to another process. */
  closeAll(): void {
    this.closing.abort();
  }

  private async *textOf<T>(
    request: FastifyRequest & Admitted,
    items: AsyncIterable<Followed<T>>,
    signal: AbortSignal,
    eventOf: (item: T) => StreamEvent,
  ): AsyncGenerator<string> {
    const { stillAllowed, logger, monotonicMs = () => performance.now() } = this.deps;
    let checkedAt = monotonicMs();
    yield `retry: ${RETRY_MS}\n\n`;
    try {
      for await (const item of items) {
        if (monotonicMs() - checkedAt >= CHECK_EVERY_MS) {
          await stillAllowed(request);
          checkedAt = monotonicMs();
        }
        if (item === 'up to date') {
          yield ': up to date\n\n';
          continue;
        }
        const { id, data } = eventOf(item as T);
        yield `id: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
      }
    } catch (error) {
      // The status was already sent, so the stream can only end. The client reconnects and gets the error.
      if (!signal.aborted) logger.warn({ err: error, requestId: request.id }, 'event_stream.ended');
    }
  }
}
