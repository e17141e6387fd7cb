import { withinReach } from '@turnkeeper/postgres';
import { userDataOf } from '@turnkeeper/vendors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Admitted } from '../edge/admit-on-headers.js';
import { specOf } from '../edge/route-config.js';

/**
 * Limits the rows that the statements of a request can see to the memory and the actor of its key, behind the checks of
 * the guard. A request that changes something is limited to the memory only: it must find the records of shared
 * namespaces that are based on what the actor said. Costs nothing for unrestricted keys. Call before routes are
 * registered.
 */
export const limitRows = (server: FastifyInstance): void => {
  server.addHook('preHandler', (request: FastifyRequest & Admitted, _reply, done) => {
    const { caller } = request;
    const spec = specOf(request);
    if (caller?.reach === undefined || userDataOf(spec?.id) === 'tenant') return done();
    const { tenantId } = caller;
    const { memoryId, actorId } = caller.reach;
    const isRead = spec?.scope?.endsWith(':read') === true;
    withinReach({ tenantId, memoryId, actorId: isRead ? actorId : null }, done);
  });
};
