import type { Server } from 'node:http';
import type { FastifyHttpOptions, FastifyInstance } from 'fastify';
import { writeJson } from '@turnkeeper/domain';
import type { Settings } from '@turnkeeper/platform';
import { allowEmptyBodies } from '../http/empty-bodies.js';
import { collectMethods } from '../http/allowed-methods.js';
import { sendEtags } from '../http/etag.js';
import { sendLocations } from '../http/location.js';
import { keepRawBodies } from '../http/raw-body.js';
import { takeLineBodies } from '../transfer/line-bodies.js';
import { admitOnHeaders, type Admission } from './admit-on-headers.js';
import type { BodyBudget } from './body-budget.js';
import { answerClientError } from './client-errors.js';
import { allowOrigins } from './cors.js';
import { JSON_LIMITS } from './json-shape.js';
import { BodyReader, readJsonBodies } from './read-body.js';
import { limitBodiesByRoute } from './route-config.js';
import { endUnreadBodies } from './unread-bodies.js';

/** Maximum request head size in bytes; Node's default. */
const MAX_HEAD_BYTES = 16_384;
/** Maximum number of request headers; Node drops the rest. */
const MAX_HEADERS = 100;
/** How often connections are checked for a late head. */
const CHECK_MS = 1_000;

type EdgeSettings = Pick<
  Settings,
  | 'BODY_TIMEOUT_SECONDS'
  | 'CORS_ORIGINS'
  | 'CONNECTION_IDLE_SECONDS'
  | 'HEADERS_TIMEOUT_SECONDS'
  | 'MAX_BODY_BYTES'
  | 'MAX_CONNECTIONS'
>;

/** Fastify options that must be set when the server is created. */
export const edgeOptions = (settings: EdgeSettings) =>
  ({
    bodyLimit: settings.MAX_BODY_BYTES,
    clientErrorHandler: answerClientError,
    connectionTimeout: settings.CONNECTION_IDLE_SECONDS * 1_000,
    http: {
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: settings.HEADERS_TIMEOUT_SECONDS * 1_000,
      // Bodies have their own timeout in `BodyReader`; a streaming import has none.
      requestTimeout: 0,
      connectionsCheckingInterval: CHECK_MS,
    },
  }) satisfies FastifyHttpOptions<Server>;

/**
 * Registers everything between the network and the routes: admission by headers and body limits, before the body is
 * read. Call before routes are registered.
 */
export const registerEdge = (
  server: FastifyInstance,
  settings: EdgeSettings,
  admission: Admission,
  budget: BodyBudget,
): void => {
  server.server.maxConnections = settings.MAX_CONNECTIONS;
  server.server.maxHeadersCount = MAX_HEADERS;
  const bodyLimits = { timeoutMs: settings.BODY_TIMEOUT_SECONDS * 1_000, json: JSON_LIMITS };
  const reader = new BodyReader(budget, bodyLimits, (tenantId, bytes) => admission.noteBytes(tenantId, bytes));
  // Only JSON is read: Nest's own parsers (forms) are off, and Fastify's plain text parser is removed.
  server.removeContentTypeParser('text/plain');
  limitBodiesByRoute(server);
  sendLocations(server);
  sendEtags(server);
  const methods = collectMethods(server);
  allowOrigins(server, settings.CORS_ORIGINS, methods);
  admitOnHeaders(server, admission, methods);
  readJsonBodies(server, reader);
  server.setReplySerializer(writeJson);
  keepRawBodies(server, reader);
  takeLineBodies(server);
  allowEmptyBodies(server);
  endUnreadBodies(server);
};
