import type { FastifyInstance } from 'fastify';

/** Polling interval for connections that have become idle. */
const LOOK_MS = 20;

/**
 * Closes a server that is in use: it accepts no new connections, answers requests in flight, and then closes their
 * connections. Node and Fastify close only connections that are idle when the close begins. A busy one would stay open
 * after its answer for the keep-alive timeout, which exceeds any deadline.
 */
export const closeHttp = async (server: FastifyInstance, close: () => Promise<void>): Promise<void> => {
  const timer = setInterval(() => server.server.closeIdleConnections(), LOOK_MS);
  try {
    await close();
  } finally {
    clearInterval(timer);
  }
};
