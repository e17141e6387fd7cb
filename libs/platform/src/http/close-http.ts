import type { FastifyInstance } from 'fastify';

/** How often connections that have become idle are looked for. */
const LOOK_MS = 20;

/**
 * Closes a server that is still being used: no new connection is taken, what is under way is answered, and then its
 * connections go. Node and Fastify let those go that are idle when the closing begins; one that is busy then would be
 * kept alive after its answer, for longer than any deadline.
 */
export const closeHttp = async (server: FastifyInstance, close: () => Promise<void>): Promise<void> => {
  const timer = setInterval(() => server.server.closeIdleConnections(), LOOK_MS);
  try {
    await close();
  } finally {
    clearInterval(timer);
  }
};
