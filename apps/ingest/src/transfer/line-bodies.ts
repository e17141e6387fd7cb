import type { FastifyInstance } from 'fastify';
import { refuseCompressed } from '../edge/body-encoding.js';

/** Passes JSON Lines bodies on as streams, because they can exceed any limit for buffered bodies. */
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
