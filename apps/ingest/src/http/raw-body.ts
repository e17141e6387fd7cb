import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import type { BodyReader, TakeBody } from '../edge/read-body.js';
import type { EdgeConfig } from '../edge/route-config.js';

const RAW_TYPE = 'application/x-turnkeeper-raw';

/**
 * Hands the raw bytes to routes whose spec asks for them: a signature is made over those, and a body that was parsed and
 * written again has another one. All other routes are left as they are. To be called before the routes are made.
 */
export const keepRawBodies = (server: FastifyInstance, reader: BodyReader): void => {
  server.addContentTypeParser(RAW_TYPE, (request, payload, done: TakeBody) => {
    reader.read(request, payload, (error, body) => {
      if (error !== null || body === undefined) return done(error);
      try {
        reader.checkShape(body);
      } catch (refusal) {
        return done(refusal as Error);
      }
      done(null, body);
    });
  });
  const asRaw: onRequestHookHandler = (request, _reply, done) => {
    request.headers['content-type'] = RAW_TYPE;
    done();
  };
  server.addHook('onRoute', (route) => {
    if ((route.config as EdgeConfig | undefined)?.spec?.rawBody !== true) return;
    route.onRequest = [asRaw, ...[route.onRequest ?? []].flat()];
  });
};
