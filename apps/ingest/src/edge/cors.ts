import type { FastifyInstance } from 'fastify';
import type { AllowedMethods } from '../http/allowed-methods.js';

/** Headers of answers that a script in a browser may read besides the ones it always may. */
const READABLE = 'ETag, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';
/** Headers of requests that a script may send. */
const SENDABLE = 'Authorization, Content-Encoding, Content-Type, Idempotency-Key, If-Match, If-None-Match';
/** How long a browser may keep what a preflight answered. */
const KEPT_SECONDS = 600;

/**
 * Lets pages of these origins call the API from a browser (the CORS protocol of the Fetch standard). Keys are sent as
 * `Authorization`, never as a cookie, so credentials in that standard's sense are not allowed. To be called before the
 * routes are made and before anything that can refuse a request: a script must be able to read refusals.
 *
 * @param origins such as `https://console.example.com`, or `*` alone for every page; empty: none
 */
export const allowOrigins = (server: FastifyInstance, origins: readonly string[], methods: AllowedMethods): void => {
  if (origins.length === 0) return;
  const isOpen = origins.includes('*');
  server.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (!isOpen) void reply.header('vary', 'Origin');
    if (origin === undefined || !(isOpen || origins.includes(origin))) return done();
    void reply.header('access-control-allow-origin', isOpen ? '*' : origin);
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) {
      void reply.header('access-control-expose-headers', READABLE);
      return done();
    }
    void reply
      .code(204)
      .header('access-control-allow-methods', methods.of(request.url).join(', '))
      .header('access-control-allow-headers', SENDABLE)
      .header('access-control-max-age', String(KEPT_SECONDS))
      .send();
  });
};
