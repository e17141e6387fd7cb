import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** How long a client can keep sending a body after an early response. */
const LINGER_MS = 1_000;
/** Bytes of unread bodies that this process discards per second, in total. */
const DISCARDED_PER_SECOND = 8 * 1_048_576;
/** Maximum discarded at once: two bodies of the default maximum size. */
const MAX_DISCARDED = 32 * 1_048_576;

/** Bounds what this process spends on reading bodies that it rejected. */
class DiscardAllowance {
  private left = MAX_DISCARDED;
  private filledAt: number;

  constructor(private readonly monotonicMs: () => number) {
    this.filledAt = monotonicMs();
  }

  /** Spends these bytes. False if nothing is left. */
  take(bytes: number): boolean {
    const now = this.monotonicMs();
    this.left = Math.min(MAX_DISCARDED, this.left + ((now - this.filledAt) / 1_000) * DISCARDED_PER_SECOND);
    this.filledAt = now;
    if (this.left > 0) this.left -= bytes;
    return this.left > 0;
  }
}

/** A request that another part of this process injected has no connection to close. */
const isUnread = ({ headers, complete, socket }: IncomingMessage): boolean =>
  !complete &&
  socket instanceof Socket &&
  (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined);

/**
 * Closes connections on which an unread body is still arriving: one rejected by its headers, length, shape or timeout.
 * For a short time the data is discarded, so that the client can read the response; a client that finishes its body in
 * that time keeps its connection. Beyond the allowance the data is not even read: a client that does not listen while
 * it sends then sees a reset connection instead of the response.
 */
export const endUnreadBodies = (server: FastifyInstance, monotonicMs = (): number => performance.now()): void => {
  const allowance = new DiscardAllowance(monotonicMs);
  server.addHook('onSend', ({ raw }, reply, payload, done) => {
    if (isUnread(raw)) {
      // Fastify's `close` would reset the connection at once if the body is rejected while it is read.
      void reply.removeHeader('connection');
      // Node would read and discard the rest, regardless of its size.
      raw.on('data', (chunk: Buffer) => {
        if (!allowance.take(chunk.length)) raw.pause();
      });
      // A stream that a decoder was detached from stays paused.
      raw.resume();
    }
    done(null, payload);
  });
  server.addHook('onResponse', ({ raw }, _reply, done) => {
    if (isUnread(raw)) {
      const { socket } = raw;
      const timer = setTimeout(() => socket.destroy(), LINGER_MS);
      raw.once('end', () => clearTimeout(timer));
      socket.once('close', () => clearTimeout(timer));
    }
    done();
  });
};
