import type { FastifyInstance } from 'fastify';

/**
 * On these paths a request that announces JSON and then sends nothing counts as one without a body, as with the vendors
 * themselves; everywhere else it is refused.
 */
export const allowEmptyBodies = (server: FastifyInstance, prefixes: readonly string[]): void => {
  server.addHook('onRequest', (request, _reply, done) => {
    const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
    if (length === '0' && coding === undefined && prefixes.some((prefix) => request.url.startsWith(prefix))) {
      delete request.headers['content-type'];
    }
    done();
  });
};
