import { sha256Hex, type Logger } from '@turnkeeper/platform';
import type { PgAuditLog } from '@turnkeeper/read-models';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Admitted } from '../edge/admit-on-headers.js';
import { specOf } from '../edge/route-config.js';

/** What was said is recorded by the log of events itself, with its own ids, order and time; a row here would say it twice. */
const IN_THE_LOG: ReadonlySet<string> = new Set(['appendEvents', 'appendToAgent', 'interruptAgent', 'agoraAppend']);
/** Reads that hand out a whole memory. */
const EXPORTS: ReadonlySet<string> = new Set(['exportMemory']);
/** Asks, although its method is POST. */
const READS = /:(search|explain|compare)$|^searchRecords$|^search/;

const isAudited = (method: string, id: string): boolean => {
  if (method === 'GET') return EXPORTS.has(id);
  return method !== 'HEAD' && method !== 'OPTIONS' && !IN_THE_LOG.has(id) && !READS.test(id);
};

/** Parts of a path that name a person or are that person's own words. */
const PERSONAL = ['actorId', 'sessionId'];

/** The path without what names a person; the hash still shows whether two entries are about the same one. */
const resourceOf = ({ method, routeOptions, params }: FastifyRequest): string => {
  const values = (params ?? {}) as Readonly<Record<string, string>>;
  const path = (routeOptions.url ?? '').replace(/:(\w+)(\([^)]*\))?/g, (_, name: string) => {
    const value = values[name] ?? '';
    return PERSONAL.includes(name) ? `~${sha256Hex(value).slice(0, 16)}` : value;
  });
  return `${method} ${path.replaceAll('::', ':')}`.slice(0, 500);
};

/**
 * Keeps who changed or exported what, before the answer is sent. A row that cannot be written is logged as an error: the
 * change itself has happened, and its answer must not deny that.
 */
export const recordChanges = (server: FastifyInstance, audit: PgAuditLog, logger: Logger): void => {
  server.addHook('onSend', async (request, reply, payload) => {
    const { caller } = request as Admitted;
    const id = specOf(request)?.id;
    if (caller === undefined || id === undefined || reply.statusCode >= 400 || !isAudited(request.method, id)) {
      return payload;
    }
    const entry = {
      tenantId: caller.tenantId,
      keyId: caller.keyId,
      address: request.ip,
      action: id,
      resource: resourceOf(request),
      status: reply.statusCode,
      requestId: request.id,
    };
    await audit.add(entry).catch((error: unknown) => logger.error({ ...entry, err: error }, 'audit.failed'));
    return payload;
  });
};
