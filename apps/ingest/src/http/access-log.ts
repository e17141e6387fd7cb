import type { Logger, Metrics } from '@turnkeeper/platform';
import type { FastifyInstance } from 'fastify';
import type { Admitted } from '../edge/admit-on-headers.js';
import { REQUEST_ID_HEADER } from './problem.filter.js';
import { personalHash } from './personal-hash.js';
import { PROBES, subjectOf } from './request-subject.js';
import { traceIdOf } from './trace-requests.js';

/** Writes one wide log line and one observation per response, except for probes. */
export const registerAccessLog = (server: FastifyInstance, logger: Logger, metrics: Metrics): void => {
  const duration = metrics.histogram('http_request_duration_seconds');
  // Cached, because looking up labelled counters costs more than counting; so does hashing a key built for each line.
  type Observer = ReturnType<typeof duration.labels>;
  const durations = new Map<string, Map<string, Map<number, Observer>>>();
  const durationOf = (method: string, route: string, status: number): Observer => {
    const ofRoute = kept(durations, route, () => new Map<string, Map<number, Observer>>());
    const ofMethod = kept(ofRoute, method, () => new Map<number, Observer>());
    return kept(ofMethod, status, () => duration.labels(method, route, String(status)));
  };
  // Redaction would be half of a line's cost; every field of the line is listed here instead.
  const lines = logger.child({}, { redact: [] });
  server.addHook('onRequest', (request, reply, done) => {
    void reply.header(REQUEST_ID_HEADER, request.id);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    if (!PROBES.has(route)) {
      const { statusCode, elapsedTime } = reply;
      durationOf(request.method, route, statusCode).observe(elapsedTime / 1_000);
      const { tenantId, caller, problemCode } = request as Admitted & { problemCode?: string };
      const { memoryId, sessionId } = subjectOf(request, statusCode);
      const line = {
        requestId: request.id,
        method: request.method,
        route,
        status: statusCode,
        durationMs: Math.round(elapsedTime * 10) / 10,
        tenantId,
        memoryId,
        session: sessionId === undefined ? undefined : personalHash(sessionId),
        keyId: caller?.keyId,
        address: request.ip,
        code: problemCode,
        traceId: traceIdOf(request),
      };
      if (statusCode >= 500) lines.error(line, 'request.answered');
      else lines.info(line, 'request.answered');
    }
    done();
  });
};

/** Returns the map's value for the key, creating it if absent. */
const kept = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
};
