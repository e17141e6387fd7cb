import type { FastifyInstance } from 'fastify';

/**
 * Treats a request that announces JSON but sends nothing as one without a body: ordinary HTTP clients do this on POST
 * and DELETE. If a body is required, its schema rejects the request.
 */
export const allowEmptyBodies = (server: FastifyInstance): void => {
  server.addHook('onRequest', (request, _reply, done) => {
    const { 'content-type': type = '', 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
    if (length === '0' && coding === undefined && type.startsWith('application/json'))
      delete request.headers['content-type'];
    done();
  });
};
