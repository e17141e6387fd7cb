import { z } from 'zod';
import { setting, type SettingsOf } from './define-settings.js';

const url = () =>
  z
    .string()
    .refine(
      (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
      'must be a URL with http: or https:',
    )
    .optional();
const PAIRS_RULE = 'must be name=value pairs with commas between; names and values are percent-encoded';
/** The W3C baggage form that the standard variables use. */
const pairs = () =>
  z
    .string()
    .refine((text) => text.split(',').every((pair) => pair.trim() === '' || isPair(pair)), PAIRS_RULE)
    .transform((text) => Object.fromEntries(text.split(',').flatMap((pair) => (isPair(pair) ? [pairOf(pair)] : []))))
    .optional();
const isPair = (pair: string): boolean => {
  try {
    return /^[^=]+=/.test(pair.trim()) && pairOf(pair)[0] !== '';
  } catch {
    return false;
  }
};
const pairOf = (pair: string): [string, string] => {
  const at = pair.indexOf('=');
  return [decodeURIComponent(pair.slice(0, at).trim()), decodeURIComponent(pair.slice(at + 1).trim())];
};
const flag = () =>
  z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .transform((value) => value === 'true');
const RATIO_RULE = 'must be a number between 0 and 1';
const DELAY_RULE = 'must be a whole number between 10 and 60000';

/** OpenTelemetry's standard variables, as far as they matter here. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    url(),
    'OTLP/HTTP collector that receives traces at /v1/traces. Unset: no traces, and OpenTelemetry is not loaded.',
    { example: 'http://otel-collector:4318' },
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: setting(url(), 'The same as the whole URL, where the path differs.', {
    example: 'https://traces.example.com/otlp/v1/traces',
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: setting(
    z.enum(['http/protobuf', 'http/json']).default('http/protobuf'),
    'Encoding of traces. gRPC is not supported: collectors take both of these on port 4318.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: setting(pairs(), 'Headers for the collector, as name=value pairs with commas between.', {
    example: 'api-key=secret',
    secret: true,
  }),
  OTEL_TRACES_EXPORTER: setting(z.enum(['otlp', 'none']).default('otlp'), 'none: no traces.'),
  OTEL_SDK_DISABLED: setting(flag(), 'true: no traces, whatever else is set.'),
  OTEL_TRACES_SAMPLER: setting(
    z
      .enum([
        'always_on',
        'always_off',
        'traceidratio',
        'parentbased_always_on',
        'parentbased_always_off',
        'parentbased_traceidratio',
      ])
      .default('parentbased_always_on'),
    'Which requests are traced. In production: parentbased_traceidratio with a small OTEL_TRACES_SAMPLER_ARG.',
  ),
  OTEL_TRACES_SAMPLER_ARG: setting(
    z.coerce.number(RATIO_RULE).min(0, RATIO_RULE).max(1, RATIO_RULE).default(1),
    'Share of the requests that the samplers by ratio take, such as 0.01.',
  ),
  OTEL_SERVICE_NAME: setting(
    z.string().min(1).max(200).optional(),
    'Name of the service in traces. Unset: turnkeeper-ingest and turnkeeper-worker.',
    { example: 'turnkeeper-eu' },
  ),
  OTEL_RESOURCE_ATTRIBUTES: setting(
    pairs(),
    'Attributes of the service in traces, as name=value pairs with commas between.',
    { example: 'deployment.environment.name=production' },
  ),
  OTEL_BSP_SCHEDULE_DELAY: setting(
    z.coerce.number(DELAY_RULE).int(DELAY_RULE).min(10, DELAY_RULE).max(60_000, DELAY_RULE).default(5_000),
    'How often spans are sent, in milliseconds.',
  ),
  TRACE_CALLERS: setting(
    flag(),
    'Continue the trace of a caller’s traceparent header. It decides then what is sampled: set it only where all callers are yours. false: a new trace, with a link to the caller’s.',
  ),
} as const;

export type TracingSettings = SettingsOf<typeof tracingSettings>;
