import type { FastifyInstance, onRequestHookHandler } from 'fastify';

/** A route's configuration that asks for the body as it came, whatever its media type: `@RouteConfig(RAW_BODY)`. */
export const RAW_BODY = { rawBody: true } as const;

const RAW_TYPE = 'application/x-turnkeeper-raw';

/**
 * Hands the raw bytes to routes that ask for them: a signature is made over those, and a body that was parsed and
 * written again has another one. All other routes are left as they are. To be called before the routes are made.
 */
export const keepRawBodies = (server: FastifyInstance): void => {
  server.addContentTypeParser(RAW_TYPE, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const asRaw: onRequestHookHandler = (request, _reply, done) => {
    request.headers['content-type'] = RAW_TYPE;
    done();
  };
  server.addHook('onRoute', (route) => {
    if ((route.config as { rawBody?: boolean } | undefined)?.rawBody !== true) return;
    route.onRequest = [asRaw, ...[route.onRequest ?? []].flat()];
  });
};
