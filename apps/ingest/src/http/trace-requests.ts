import type { OpenSpan, Tracing } from '@turnkeeper/platform';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Admitted } from '../edge/admit-on-headers.js';
import { PROBES, subjectOf } from './request-subject.js';

interface Traced {
  span?: OpenSpan | undefined;
}

/** Trace of a request, for its log line; undefined if it is not sampled. */
export const traceIdOf = (request: FastifyRequest): string | undefined => (request as Traced).span?.traceId;

/**
 * Traces each request except probes. Spans contain no paths, queries or bodies: those have ids and text that tenants
 * chose.
 *
 * @param trustsCallers continue the trace of a `traceparent` header instead of only linking to it
 */
export const traceRequests = (server: FastifyInstance, tracing: Tracing, trustsCallers: boolean): void => {
  if (!tracing.on) return;
  server.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url;
    if (!PROBES.has(route ?? '')) {
      const { traceparent } = request.headers;
      const from = typeof traceparent === 'string' ? traceparent : undefined;
      (request as Traced).span = tracing.start(route === undefined ? request.method : `${request.method} ${route}`, {
        kind: 'server',
        attributes: { 'http.request.method': request.method, 'http.route': route, 'turnkeeper.request.id': request.id },
        ...(trustsCallers ? { parent: from } : { links: from === undefined ? [] : [from] }),
      });
    }
    done();
  });
  // Not earlier: reading the body leaves the asynchronous context of the hooks before it.
  server.addHook('preHandler', (request, _reply, done) => {
    const { span } = request as Traced;
    if (span === undefined) done();
    else span.run(done);
  });
  server.addHook('onResponse', (request, reply, done) => {
    const { span, tenantId, problemCode } = request as Traced & Admitted & { problemCode?: string };
    if (span !== undefined) {
      const { memoryId, sessionId } = subjectOf(request, reply.statusCode);
      span.set({
        'http.response.status_code': reply.statusCode,
        'turnkeeper.tenant.id': tenantId,
        'gen_ai.memory.store.id': memoryId,
        'gen_ai.conversation.id': sessionId,
      });
      if (reply.statusCode >= 500) span.fail(problemCode ?? String(reply.statusCode));
      span.end();
    }
    done();
  });
};
