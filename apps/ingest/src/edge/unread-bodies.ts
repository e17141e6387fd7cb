import type { FastifyInstance } from 'fastify';

/** How long a client may go on sending a body that was answered before it was read. */
const LINGER_MS = 1_000;

/**
 * Ends connections on which a body is still arriving that nothing reads: one that was refused by its headers, its length
 * or its time. For a moment what arrives is thrown away, so that the client can read the answer; a client that ends its
 * body in that time keeps its connection.
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
