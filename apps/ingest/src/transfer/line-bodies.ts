import type { FastifyInstance } from 'fastify';
import { refuseCompressed } from '../edge/body-encoding.js';

/** Hands bodies of JSON lines on as they come in: they may be larger than any limit for what is read at once. */
export const takeLineBodies = (server: FastifyInstance): void => {
  server.addContentTypeParser('application/x-ndjson', (request, payload, done) => {
    try {
      refuseCompressed(request);
    } catch (refusal) {
      return done(refusal as Error);
    }
    done(null, payload);
  });
};
