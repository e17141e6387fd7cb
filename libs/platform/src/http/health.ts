import fastify, { type FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics/metrics.js';
import type { LastFailures } from './last-failures.js';

/** Health check of one dependency, called on every probe. No answer within a second counts as down. */
export interface HealthCheck {
  readonly name: string;
  /** Whether the process cannot work without it. */
  readonly required: boolean;
  readonly check: () => Promise<void>;
}

/** What `/status` adds to the dependencies. */
export interface StatusSource {
  /** Of this process: service, release, … */
  readonly process: Readonly<Record<string, unknown>>;
  readonly failures: LastFailures;
  /** Of the installation; asked at most every five seconds. */
  readonly installation: () => Promise<Readonly<Record<string, unknown>>>;
  /** Called when a dependency goes down or comes back, as seen by a probe. */
  readonly onChange?: (dependency: string, up: boolean, error: unknown) => void;
}

const REPORT_EVERY_MS = 5_000;

const withinOneSecond = async <T>(work: () => Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer()), 1_000);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
};

class NoAnswer extends Error {
  readonly code = 'no_answer_within_1_s';
}

/** A server for health and metrics only, on a port that API clients need not reach. */
export const operationsServer = (): FastifyInstance =>
  fastify({ forceCloseConnections: true, requestTimeout: 10_000, keepAliveTimeout: 75_000 });

/**
 * `/livez` (the event loop runs), `/readyz` (200 if every required dependency answers, else 503; `degraded` if only an
 * optional one does not), `/metrics` (Prometheus text), and with a source `/status`: the same for people, with the last
 * failure of each dependency.
 */
export const registerHealth = (
  server: FastifyInstance,
  checks: readonly HealthCheck[],
  metrics: Metrics,
  isStopping: () => boolean,
  source?: StatusSource,
): void => {
  const wasUp = new Map<string, boolean>();
  const look = async ({ name, required, check }: HealthCheck) => {
    const error = await withinOneSecond(check).then(
      () => null,
      (cause: unknown) => cause ?? 'unknown',
    );
    const up = error === null;
    if (!up) source?.failures.note(name, error);
    if ((wasUp.get(name) ?? true) !== up) source?.onChange?.(name, up, error);
    wasUp.set(name, up);
    return { name, required, up };
  };
  const health = async () => {
    const results = await Promise.all(checks.map(look));
    const ready = !isStopping() && results.every(({ required, up }) => up || !required);
    const working = results.every(({ up }) => up) ? 'ready' : 'degraded';
    return { ready, status: ready ? working : isStopping() ? 'stopping' : 'not_ready', results };
  };
  server.get('/livez', () => ({ status: 'alive' }));
  server.get('/readyz', async (_request, reply) => {
    const { ready, status, results } = await health();
    return reply.code(ready ? 200 : 503).send({
      status,
      dependencies: Object.fromEntries(
        results.map(({ name, required, up }) => [name, { status: up ? 'up' : 'down', required }]),
      ),
    });
  });
  server.get('/metrics', async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
  if (source === undefined) return;
  let report: Promise<unknown> | null = null;
  let reportedAt = -Infinity;
  server.get('/status', async () => {
    if (performance.now() - reportedAt > REPORT_EVERY_MS) {
      reportedAt = performance.now();
      report = withinOneSecond(source.installation).catch(() => null);
    }
    const [{ status, results }, installation] = await Promise.all([health(), report]);
    const checked = new Set(results.map(({ name }) => name));
    const others = Object.entries(source.failures.all()).filter(([name]) => !checked.has(name));
    return {
      status,
      ...source.process,
      uptimeSeconds: Math.round(process.uptime()),
      dependencies: {
        ...Object.fromEntries(
          results.map(({ name, required, up }) => [
            name,
            { status: up ? 'up' : 'down', required, lastFailure: source.failures.of(name) },
          ]),
        ),
        ...Object.fromEntries(others.map(([name, lastFailure]) => [name, { lastFailure }])),
      },
      installation,
    };
  });
};
