import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import type { Followed } from '@turnkeeper/application';
import { writeJson } from '@turnkeeper/domain';
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

/** How often a stream checks that its caller is still allowed to read. It ends within two seconds, as a request would. */
const CHECK_EVERY_MS = 750;
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
      /** Resolves to whether the caller is still allowed to read. */
      readonly stillAllowed: (request: FastifyRequest & Admitted) => Promise<boolean>;
      readonly logger: Pick<Logger, 'warn'>;
      /** Runs the work periodically; returns how to stop it. */
      readonly every: (ms: number, work: () => void) => () => void;
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
    const stopChecking = this.deps.every(CHECK_EVERY_MS, () => void this.check(request, gone));
    // `close` fires once per response, whether it ended or the client disconnected.
    reply.raw.once('close', () => {
      stopChecking();
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

  /** The client reconnects and gets the error. If it is unknown whether the caller may read, the stream goes on. */
  private async check(request: FastifyRequest & Admitted, gone: AbortController): Promise<void> {
    if (gone.signal.aborted || (await this.deps.stillAllowed(request).catch(() => true)) || gone.signal.aborted) return;
    this.deps.logger.warn({ requestId: request.id }, 'event_stream.caller_lost_access');
    gone.abort();
  }

  private async *textOf<T>(
    request: FastifyRequest & Admitted,
    items: AsyncIterable<Followed<T>>,
    signal: AbortSignal,
    eventOf: (item: T) => StreamEvent,
  ): AsyncGenerator<string> {
    yield `retry: ${RETRY_MS}\n\n`;
    try {
      for await (const item of items) {
        // What was read before the caller lost access is not sent after it.
        if (signal.aborted) return;
        if (item === 'up to date') {
          yield ': up to date\n\n';
          continue;
        }
        const { id, data } = eventOf(item as T);
        yield `id: ${id}\ndata: ${writeJson(data)}\n\n`;
      }
    } catch (error) {
      // The status was already sent, so the stream can only end. The client reconnects and gets the error.
      if (!signal.aborted) this.deps.logger.warn({ err: error, requestId: request.id }, 'event_stream.ended');
    }
  }
}
