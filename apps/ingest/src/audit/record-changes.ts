import type { Logger } from '@turnkeeper/platform';
import type { PgAuditLog } from '@turnkeeper/postgres';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Admitted } from '../edge/admit-on-headers.js';
import { REPLAYED } from '../http/first-answers.js';
import { personalHash } from '../http/personal-hash.js';
import { specOf } from '../edge/route-config.js';

/**
 * Conversation content is already recorded in the event log, with its own ids, order and time; a row here would
 * duplicate it.
 */
const IN_THE_LOG: ReadonlySet<string> = new Set([
  ...['appendEvents', 'appendToAgent', 'interruptAgent', 'agoraAppend'],
  'createChatCompletion',
]);
/** Programs write these at every step of a graph; the rows have their own ids and order. */
const AT_EVERY_STEP: ReadonlySet<string> = new Set([
  ...['putCheckpoint', 'putCheckpointWrites', 'batchCheckpoints'],
  'batchGraphStore',
]);
/** Reads that export a whole memory. */
const EXPORTS: ReadonlySet<string> = new Set(['exportMemory']);
/** GET changes nothing, and neither do routes with a scope for reading, some of which use POST. */
const isAudited = (method: string, { id, scope }: { readonly id?: string; readonly scope: string | null }): boolean => {
  if (id === undefined || IN_THE_LOG.has(id) || AT_EVERY_STEP.has(id)) return false;
  return EXPORTS.has(id) || (method !== 'GET' && scope?.endsWith(':read') !== true);
};

/** Path parameters that identify a person or contain their words. */
const PERSONAL = ['actorId', 'sessionId'];

/** The path with personal parts hashed; equal hashes still identify the same person. */
const resourceOf = ({ method, routeOptions, params }: FastifyRequest): string => {
  const values = (params ?? {}) as Readonly<Record<string, string>>;
  const path = (routeOptions.url ?? '').replace(/:(\w+)(\([^)]*\))?/g, (_, name: string) => {
    const value = values[name] ?? '';
    return PERSONAL.includes(name) ? personalHash(value) : value;
  });
  return `${method} ${path.replaceAll('::', ':')}`.slice(0, 500);
};

/**
 * Records who changed or exported what, before the response is sent. A failed write is logged as an error and not
 * returned: the change itself has been committed.
 */
export const recordChanges = (server: FastifyInstance, audit: PgAuditLog, logger: Logger): void => {
  server.addHook('onSend', async (request, reply, payload) => {
    const { caller } = request as Admitted;
    const spec = specOf(request);
    // A repeat changed nothing.
    if (reply.hasHeader(REPLAYED)) return payload;
    if (caller === undefined || spec?.id === undefined || reply.statusCode >= 400 || !isAudited(request.method, spec)) {
      return payload;
    }
    const entry = {
      tenantId: caller.tenantId,
      keyId: caller.keyId,
      address: request.ip,
      action: spec.id,
      resource: resourceOf(request),
      status: reply.statusCode,
      requestId: request.id,
    };
    await audit.add(entry).catch((error: unknown) => logger.error({ ...entry, err: error }, 'audit.failed'));
    return payload;
  });
};
