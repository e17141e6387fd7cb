import type { FastifyInstance } from 'fastify';

/**
 * A request that announces JSON and then sends nothing counts as one without a body: ordinary HTTP clients send that on
 * POST and DELETE. Where a body is required, its schema refuses the request by name.
 */
export const allowEmptyBodies = (server: FastifyInstance): void => {
  server.addHook('onRequest', (request, _reply, done) => {
    const { 'content-type': type = '', 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
    if (length === '0' && coding === undefined && type.startsWith('application/json'))
      delete request.headers['content-type'];
    done();
  });
};
