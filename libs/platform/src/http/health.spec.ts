import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { createMetrics } from '../metrics/metrics.js';
import { registerHealth, type HealthCheck } from './health.js';

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

  it('is ready without an optional dependency and reports it as down', async () => {
    serve([up('postgres', true), down('nats', false)]);
    expect(await get('/readyz')).toMatchObject({
      statusCode: 200,
      body: { status: 'ready', dependencies: { nats: { status: 'down', required: false } } },
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
