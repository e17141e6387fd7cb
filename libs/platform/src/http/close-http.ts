import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Polling interval for connections that have become idle. */
const LOOK_MS = 20;

const connections = new WeakMap<Server, Set<Socket>>();

/**
 * Remembers a server's connections, so that `closeHttp` finds those without a request. Node does not count them as idle:
 * they would delay a shutdown until the timeout for headers. Browsers open them in advance, and Node's `fetch` after an
 * aborted response. Call before the server listens.
 */
export const watchConnections = ({ server }: FastifyInstance): void => {
  const open = new Set<Socket>();
  connections.set(server, open);
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
};

const closeUnused = (server: Server): void => {
  for (const socket of connections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
};

/**
 * Closes a server that is in use: it accepts no new connections, answers requests in flight, and then closes their
 * connections. Node and Fastify close only connections that are idle when the close begins. A busy one would stay open
 * after its answer for the keep-alive timeout, which exceeds any deadline.
 */
export const closeHttp = async (server: FastifyInstance, close: () => Promise<void>): Promise<void> => {
  const timer = setInterval(() => {
    server.server.closeIdleConnections();
    closeUnused(server.server);
  }, LOOK_MS);
  try {
    await close();
  } finally {
    clearInterval(timer);
  }
};
