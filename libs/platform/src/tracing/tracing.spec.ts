import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { readSettings } from '../config/define-settings.js';
import { tracingSettings } from '../config/tracing-settings.js';
import { openTracing } from './open-tracing.js';
import { NO_TRACING, type Tracing } from './tracing.js';

const CALLER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const silent = pino({ level: 'silent' });
const open = (environment: Readonly<Record<string, string>>): Promise<Tracing> =>
  openTracing('ingest', readSettings(tracingSettings, environment), silent);

let server: Server | null = null;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

/** A collector on loopback; `bodies` are the exports. */
const collect = async (): Promise<{ url: string; bodies: string[]; headers: unknown[] }> => {
  const bodies: string[] = [];
  const headers: unknown[] = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      bodies.push(body);
      headers.push(request.headers);
      response.end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies, headers };
};

describe('traces are', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
  it.each([
    ['without an endpoint', {}],
    ['with OTEL_SDK_DISABLED', { ...endpoint, OTEL_SDK_DISABLED: 'true' }],
    ['with OTEL_TRACES_EXPORTER=none', { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }],
  ])('off %s', async (_, environment) => {
    const tracing = await open(environment);
    expect(tracing).toBe(NO_TRACING);
    expect(await tracing.within('step', {}, async (span) => span ?? 'no span')).toBe('no span');
  });

  it('sent with the headers and attributes that the variables name', async () => {
    const { url, bodies, headers } = await collect();
    const tracing = await open({
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20key',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    const span = tracing.start('request', { kind: 'server', parent: CALLER, links: ['not a traceparent'] })!;
    await span.run(() => tracing.within('step', {}, async (step) => step!.fail(new RangeError('with content'))));
    span.end();
    tracing.start('never ended');
    await tracing.close();
    expect(headers).toEqual([expect.objectContaining({ 'api-key': 'a key' })]);
    const sent = JSON.parse(bodies[0]!) as {
      resourceSpans: { resource: unknown; scopeSpans: { spans: Record<string, unknown>[] }[] }[];
    };
    expect(JSON.stringify(sent.resourceSpans[0]!.resource)).toMatch(/turnkeeper-ingest.*deployment.environment.name/);
    const spans = sent.resourceSpans[0]!.scopeSpans[0]!.spans;
    expect(spans.map(({ name, traceId, parentSpanId }) => ({ name, traceId, parentSpanId }))).toEqual([
      { name: 'step', traceId: CALLER.slice(3, 35), parentSpanId: spans[1]!['spanId'] },
      { name: 'request', traceId: CALLER.slice(3, 35), parentSpanId: CALLER.slice(36, 52) },
    ]);
    expect(bodies[0]).toContain('RangeError');
    expect(bodies[0]).not.toContain('with content');
  });

  it.each([
    [{ OTEL_TRACES_SAMPLER: 'always_off' }, false, false],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, false, true],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, false, true],
    [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '1' }, true, true],
    [{}, true, true],
  ])('sampled as %j says', async (environment, root, child) => {
    const tracing = await open({ ...endpoint, ...environment });
    expect(tracing.start('root') !== undefined).toBe(root);
    expect(tracing.start('child', { parent: CALLER }) !== undefined).toBe(child);
    // Work outside a sampled trace must not begin traces of its own.
    await tracing.within('step', {}, async (span) => expect(span).toBeUndefined());
    await tracing.close();
  });

  it('sampled by the id that they get, one per trace', async () => {
    const tracing = await open({ ...endpoint, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' });
    const roots = Array.from({ length: 400 }, () => tracing.start('root')).filter((span) => span !== undefined);
    expect(roots.length).toBeGreaterThan(100);
    expect(roots.length).toBeLessThan(300);
    expect(new Set(roots.map(({ traceId }) => traceId)).size).toBe(roots.length);
    for (const { traceparent } of roots) expect(tracing.start('child', { parent: traceparent })).toBeDefined();
    await tracing.close();
  });

  it('active in their own work, beside others, and not after their end', async () => {
    const tracing = await open(endpoint);
    const [one, two] = [tracing.start('one')!, tracing.start('two')!];
    const [gate, ended] = [new EventEmitter(), new EventEmitter()];
    const seen = (span: typeof one) =>
      span.run(async () => [tracing.active(), await once(gate, 'open'), tracing.active()]);
    const works = [seen(one), seen(two)];
    const late = one.run(() => once(ended, 'both').then(() => tracing.active()));
    expect(tracing.active()).toBeUndefined();
    gate.emit('open');
    expect(await Promise.all(works)).toEqual([
      [one, [], one],
      [two, [], two],
    ]);
    one.end();
    two.end();
    ended.emit('both');
    expect(await late).toBeUndefined();
    await tracing.close();
  });

  it('closed in time while the collector is frozen', async () => {
    server = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const tracing = await open({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    });
    tracing.start('request')!.end();
    await tracing.close();
  }, 10_000);
});

it.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
  ['OTEL_RESOURCE_ATTRIBUTES', 'no pair'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'key=%E0%A4%A'],
])('%s=%s is refused', (name, value) => {
  expect(() => readSettings(tracingSettings, { [name]: value })).toThrow(`${name} must be`);
});
