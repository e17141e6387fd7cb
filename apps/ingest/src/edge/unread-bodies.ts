import type { FastifyInstance } from 'fastify';

/** How long a client can keep sending a body after an early response. */
const LINGER_MS = 1_000;

/**
 * Closes connections on which an unread body is still arriving: one rejected by its headers, length or timeout. For a
 * short time the data is discarded, so that the client can read the response; a client that finishes its body in that
 * time keeps its connection.
 */
export const endUnreadBodies = (server: FastifyInstance): void => {
  server.addHook('onResponse', ({ raw, headers }, _reply, done) => {
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    if (hasBody && raw.complete === false) {
      const { socket } = raw;
      const timer = setTimeout(() => socket.destroy(), LINGER_MS);
      raw.once('end', () => clearTimeout(timer));
      socket.once('close', () => clearTimeout(timer));
    }
    done();
  });
};
