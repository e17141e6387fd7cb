import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { createMetrics } from '../metrics/metrics.js';
import { registerHealth, type HealthCheck, type StatusSource } from './health.js';
import { LastFailures } from './last-failures.js';

const up = (name: string, required: boolean): HealthCheck => ({ name, required, check: async () => undefined });
const down = (name: string, required: boolean): HealthCheck => ({
  name,
  required,
  check: () => Promise.reject(new Error('gone')),
});
const silent = (name: string, required: boolean): HealthCheck => ({
  name,
  required,
  check: () => new Promise(() => undefined),
});

describe('health', () => {
  let server: FastifyInstance;
  afterEach(() => server.close());

  const serve = (checks: readonly HealthCheck[], isStopping = () => false, metrics = createMetrics()) => {
    server = fastify();
    registerHealth(server, checks, metrics, isStopping);
  };
  const get = async (url: string) => {
    const { statusCode, body } = await server.inject({ method: 'GET', url });
    return { statusCode, body: JSON.parse(body) as unknown };
  };

  it('is ready while all required dependencies answer', async () => {
    serve([up('postgres', true), up('nats', false)]);
    expect(await get('/readyz')).toEqual({
      statusCode: 200,
      body: {
        status: 'ready',
        dependencies: { postgres: { status: 'up', required: true }, nats: { status: 'up', required: false } },
      },
    });
  });

  it('is degraded without an optional dependency and reports it as down', async () => {
    serve([up('postgres', true), down('nats', false)]);
    expect(await get('/readyz')).toMatchObject({
      statusCode: 200,
      body: { status: 'degraded', dependencies: { nats: { status: 'down', required: false } } },
    });
  });

  it('is not ready without a required dependency, but still live', async () => {
    serve([down('postgres', true), up('nats', false)]);
    expect(await get('/readyz')).toMatchObject({ statusCode: 503, body: { status: 'not_ready' } });
    expect(await get('/livez')).toEqual({ statusCode: 200, body: { status: 'alive' } });
  });

  it('counts a dependency as down if it does not answer within a second', async () => {
    serve([silent('postgres', true)]);
    const startedAt = performance.now();
    expect(await get('/readyz')).toMatchObject({
      statusCode: 503,
      body: { dependencies: { postgres: { status: 'down' } } },
    });
    expect(performance.now() - startedAt).toBeGreaterThan(990);
  });

  it('shows the last failure of each dependency, logs changes once, and asks for the installation rarely', async () => {
    let isUp = false;
    let asked = 0;
    const changes: unknown[] = [];
    const failures = new LastFailures();
    const source: StatusSource = {
      process: { service: 'worker', version: '1.2.3' },
      failures,
      installation: async () => ({ asked: (asked += 1) }),
      onChange: (name, up) => changes.push([name, up]),
    };
    const queue = async (): Promise<void> => {
      if (!isUp) throw Object.assign(new Error('redis://:secret@host'), { code: 'queue.unavailable' });
    };
    server = fastify();
    registerHealth(server, [{ name: 'queue', required: false, check: queue }], createMetrics(), () => false, source);
    failures.note('model', 'model.unreachable');
    await get('/readyz');
    const down = await get('/status');
    isUp = true;
    const up = await get('/status');
    const lastFailure = { at: expect.any(String), reason: 'queue.unavailable' };
    expect(down.body).toEqual({
      status: 'degraded',
      service: 'worker',
      version: '1.2.3',
      uptimeSeconds: expect.any(Number),
      dependencies: {
        queue: { status: 'down', required: false, lastFailure },
        model: { lastFailure: { at: expect.any(String), reason: 'model.unreachable' } },
      },
      installation: { asked: 1 },
    });
    expect(up.body).toMatchObject({
      status: 'ready',
      installation: { asked: 1 },
      dependencies: { queue: { status: 'up', lastFailure } },
    });
    expect(changes).toEqual([
      ['queue', false],
      ['queue', true],
    ]);
    expect(JSON.stringify(down)).not.toContain('secret');
  });

  it('shows its dependencies while the database is frozen', async () => {
    server = fastify();
    const installation = (): Promise<never> => new Promise(() => undefined);
    const source = { process: {}, failures: new LastFailures(), installation };
    registerHealth(server, [silent('postgres', true)], createMetrics(), () => false, source);
    expect(await get('/status')).toMatchObject({
      body: {
        status: 'not_ready',
        installation: null,
        dependencies: { postgres: { lastFailure: { reason: 'no_answer_within_1_s' } } },
      },
    });
  });

  it('is not ready while stopping', async () => {
    serve([up('postgres', true)], () => true);
    expect(await get('/readyz')).toMatchObject({ statusCode: 503, body: { status: 'stopping' } });
  });

  it('exposes the metrics in Prometheus text format', async () => {
    const metrics = createMetrics();
    metrics.counter('parked_total').inc({ kind: 'window' }, 2);
    serve([], () => false, metrics);
    const { headers, body } = await server.inject({ method: 'GET', url: '/metrics' });
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(body).toContain('turnkeeper_parked_total{kind="window"} 2');
    expect(body).toContain('process_resident_memory_bytes');
  });
});
