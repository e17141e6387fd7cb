import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import type { BodyReader, TakeBody } from '../edge/read-body.js';
import type { EdgeConfig } from '../edge/route-config.js';

const RAW_TYPE = 'application/x-turnkeeper-raw';

/**
 * Keeps the raw bytes for routes whose spec requires them: signatures cover them, and re-serialised JSON differs. Other
 * routes are unchanged. Call before routes are registered.
 */
export const keepRawBodies = (server: FastifyInstance, reader: BodyReader): void => {
  server.addContentTypeParser(RAW_TYPE, (request, payload, done: TakeBody) => {
    reader.read(request, payload, (error, body) => done(error, body && Buffer.concat(body.chunks, body.bytes)));
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
