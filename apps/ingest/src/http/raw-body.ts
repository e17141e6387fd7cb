import type { FastifyInstance } from 'fastify';

/** A route's configuration that asks for the body as it came, whatever its media type: `@RouteConfig(RAW_BODY)`. */
export const RAW_BODY = { rawBody: true } as const;

const RAW_TYPE = 'application/x-turnkeeper-raw';

/**
 * Hands the raw bytes to routes that ask for them: a signature is made over those, and a body that was parsed and
 * written again has another one. All other routes are left as they are.
 */
export const keepRawBodies = (server: FastifyInstance): void => {
  server.addContentTypeParser(RAW_TYPE, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  server.addHook('onRequest', (request, _reply, done) => {
    if ((request.routeOptions.config as { rawBody?: boolean }).rawBody === true) {
      request.headers['content-type'] = RAW_TYPE;
    }
    done();
  });
};
