import { AsyncLocalStorage } from 'node:async_hooks';
import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span as TelemetrySpan,
} from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { TracingSettings } from '../config/tracing-settings.js';
import { safeText } from '../errors/safe-error.js';
import type { Logger } from '../logger.js';
import { formatTraceparent, parseTraceparent } from './traceparent.js';
import type { OpenSpan, SpanAttributes, SpanOptions, Tracing } from './tracing.js';

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;
/** A span that works for more traces than this links to the newest ones. */
const MAX_LINKS = 32;
const CLOSE_MS = 2_000;

/**
 * Traces by OpenTelemetry. Spans are made by hand at the few places that matter: instrumentation that patches modules
 * costs several times as much, and knows neither the log nor the jobs.
 */
export const openTelemetry = async (service: string, settings: TracingSettings, logger: Logger): Promise<Tracing> => {
  reportTo(logger);
  const sampler = samplerOf(settings);
  const random = new RandomIdGenerator();
  let traceId = '';
  const provider = new TracerProvider({
    // A new trace gets the id for which `isSampled` decided.
    idGenerator: { generateTraceId: () => traceId, generateSpanId: () => random.generateSpanId() },
    resource: resourceFromAttributes({
      'service.name': settings.OTEL_SERVICE_NAME ?? `turnkeeper-${service}`,
      ...settings.OTEL_RESOURCE_ATTRIBUTES,
    }),
    sampler,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: await exporterOf(settings),
        scheduledDelayMillis: settings.OTEL_BSP_SCHEDULE_DELAY,
      }),
    ],
  });
  const tracer = provider.getTracer('turnkeeper');
  const activeSpans = new ActiveSpans();
  /** The tracer creates ids, attributes and links before it asks the sampler: most of what an unsampled request costs. */
  const isSampled = (context: Context, name: string, kind: SpanKind): boolean =>
    sampler.shouldSample(context, traceId, name, kind, {}, []).decision !== SamplingDecision.NOT_RECORD;

  const open = (name: string, { kind = 'internal', attributes, parent, links = [] }: SpanOptions) => {
    const ids = parseTraceparent(parent);
    const context = ids === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...ids, isRemote: true });
    traceId = ids?.traceId ?? random.generateTraceId();
    if (!isSampled(context, name, KINDS[kind])) return undefined;
    const span = tracer.startSpan(
      name,
      {
        kind: KINDS[kind],
        ...(attributes === undefined ? {} : { attributes: defined(attributes) }),
        links: links.slice(0, MAX_LINKS).flatMap((link) => {
          const linked = parseTraceparent(link);
          return linked === null ? [] : [{ context: linked }];
        }),
      },
      context,
    );
    return span.isRecording() ? openSpan(span, activeSpans) : undefined;
  };
  return {
    on: true,
    start: (name, options = {}) => open(name, options),
    within: async (name, options, work) => {
      const active = activeSpans.current();
      const span = active && open(name, { ...options, parent: active.traceparent });
      if (span === undefined) return work(undefined);
      try {
        return await span.run(() => work(span));
      } catch (error) {
        span.fail(error);
        throw error;
      } finally {
        span.end();
      }
    },
    active: () => activeSpans.current(),
    close: async () => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_MS)));
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
};

/**
 * The span of each asynchronous context. Up to Node 22, a process that uses such contexts runs a hook for each of its
 * promises, which costs ingest about a quarter more CPU: so they are used only while a span needs them.
 */
class ActiveSpans {
  private readonly storage = new AsyncLocalStorage<OpenSpan>();
  private readonly running = new Set<OpenSpan>();

  current(): OpenSpan | undefined {
    const span = this.storage.getStore();
    return span !== undefined && this.running.has(span) ? span : undefined;
  }

  run<T>(span: OpenSpan, work: () => T): T {
    this.running.add(span);
    return this.storage.run(span, work);
  }

  ended(span: OpenSpan): void {
    if (this.running.delete(span) && this.running.size === 0) this.storage.disable();
  }
}

const openSpan = (span: TelemetrySpan, activeSpans: ActiveSpans): OpenSpan => {
  const ids = span.spanContext();
  const opened: OpenSpan = {
    traceId: ids.traceId,
    traceparent: formatTraceparent(ids),
    set: (attributes) => void span.setAttributes(defined(attributes)),
    fail: (error) => {
      span.setAttribute('error.type', typeOf(error));
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    run: (work) => activeSpans.run(opened, work),
    end: () => {
      activeSpans.ended(opened);
      span.end();
    },
  };
  return opened;
};

const defined = (attributes: SpanAttributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)) as Attributes;

const typeOf = (error: unknown): string => {
  if (typeof error === 'string') return error;
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'error';
};

const samplerOf = ({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: TracingSettings): Sampler => {
  const root = name.endsWith('always_on')
    ? new AlwaysOnSampler()
    : name.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
};

const exporterOf = async (settings: TracingSettings) => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base = '', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: exact } = settings;
  const options = {
    url: exact ?? `${base.endsWith('/') ? base.slice(0, -1) : base}/v1/traces`,
    headers: { ...settings.OTEL_EXPORTER_OTLP_HEADERS },
  };
  if (settings.OTEL_EXPORTER_OTLP_PROTOCOL === 'http/json') {
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
    return new OTLPTraceExporter(options);
  }
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter(options);
};

const REPORT_EVERY_MS = 60_000;

/** Logs the exporter's failures, at most one a minute: a collector that is away fails every few seconds. */
const reportTo = (logger: Logger): void => {
  let reportedAt = -Infinity;
  const report = (message: string): void => {
    if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = performance.now();
    logger.warn({ reason: safeText(message) }, 'tracing.export_failed');
  };
  const ignore = (): void => undefined;
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
};
