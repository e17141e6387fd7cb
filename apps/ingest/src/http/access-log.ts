import type { Logger, Metrics } from '@turnkeeper/platform';
import type { FastifyInstance } from 'fastify';
import type { Admitted } from '../edge/admit-on-headers.js';
import { REQUEST_ID_HEADER } from './problem.filter.js';

const PROBES = new Set(['/livez', '/readyz', '/metrics']);

/** One wide line and one observation for every answer; probes are left out. */
export const registerAccessLog = (server: FastifyInstance, logger: Logger, metrics: Metrics): void => {
  const duration = metrics.histogram('http_request_duration_seconds');
  // Finding the counters of a line's labels costs more than counting; so does hashing a key that is made for each line.
  type Observer = ReturnType<typeof duration.labels>;
  const durations = new Map<string, Map<string, Map<number, Observer>>>();
  const durationOf = (method: string, route: string, status: number): Observer => {
    const ofRoute = kept(durations, route, () => new Map<string, Map<number, Observer>>());
    const ofMethod = kept(ofRoute, method, () => new Map<number, Observer>());
    return kept(ofMethod, status, () => duration.labels(method, route, String(status)));
  };
  // Looking for secrets would be half of what a line costs, and all that is in one is named here.
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
      const line = {
        requestId: request.id,
        method: request.method,
        route,
        status: statusCode,
        durationMs: Math.round(elapsedTime * 10) / 10,
        tenantId,
        keyId: caller?.keyId,
        address: request.ip,
        code: problemCode,
      };
      if (statusCode >= 500) lines.error(line, 'request.answered');
      else lines.info(line, 'request.answered');
    }
    done();
  });
};

/** What the map holds for the key; made where it holds nothing. */
const kept = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
};
