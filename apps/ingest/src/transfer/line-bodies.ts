import type { FastifyInstance } from 'fastify';

/** Hands bodies of JSON lines on as they come in: they may be larger than any limit for what is read at once. */
export const takeLineBodies = (server: FastifyInstance): void => {
  server.addContentTypeParser('application/x-ndjson', (_request, payload, done) => done(null, payload));
};
