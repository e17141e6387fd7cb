import type { FastifyInstance } from 'fastify';
import type { AllowedMethods } from '../http/allowed-methods.js';

/** Response headers exposed to browser scripts, beyond the CORS defaults. */
const READABLE = 'ETag, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';
/** Request headers that a script can send. */
const SENDABLE = 'Authorization, Content-Encoding, Content-Type, Idempotency-Key, If-Match, If-None-Match';
/** How long a browser can cache a preflight response. */
const KEPT_SECONDS = 600;

/**
 * Allows pages of these origins to call the API from a browser (CORS, Fetch standard). Keys are sent as
 * `Authorization`, never as cookies, so CORS credentials are not allowed. Call before routes are registered and before
 * any hook that can reject a request: scripts must be able to read errors.
 *
 * @param origins such as `https://console.example.com`, or `*` alone for every page; empty for none
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
