import fastify, { type FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics/metrics.js';

/** Health check of one dependency, called on every probe. No answer within a second counts as down. */
export interface HealthCheck {
  readonly name: string;
  /** Whether the process cannot work without it. */
  readonly required: boolean;
  readonly check: () => Promise<void>;
}

const withinOneSecond = async (check: () => Promise<void>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), 1_000);
  });
  try {
    await Promise.race([check(), late]);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
};

/** A server for health and metrics only, on a port that API clients need not reach. */
export const operationsServer = (): FastifyInstance =>
  fastify({ forceCloseConnections: true, requestTimeout: 10_000, keepAliveTimeout: 75_000 });

/**
 * `/livez` (the event loop runs), `/readyz` (200 if every required dependency answers, else 503; optional ones are only
 * listed), `/metrics` (Prometheus text).
 */
export const registerHealth = (
  server: FastifyInstance,
  checks: readonly HealthCheck[],
  metrics: Metrics,
  isStopping: () => boolean,
): void => {
  server.get('/livez', () => ({ status: 'alive' }));
  server.get('/readyz', async (_request, reply) => {
    const results = await Promise.all(
      checks.map(async ({ name, required, check }) => ({ name, required, up: await withinOneSecond(check) })),
    );
    const ready = !isStopping() && results.every(({ required, up }) => up || !required);
    return reply.code(ready ? 200 : 503).send({
      status: ready ? 'ready' : isStopping() ? 'stopping' : 'not_ready',
      dependencies: Object.fromEntries(
        results.map(({ name, required, up }) => [name, { status: up ? 'up' : 'down', required }]),
      ),
    });
  });
  server.get('/metrics', async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
};
