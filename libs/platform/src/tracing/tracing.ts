/** Values of a span's attributes. Never content of conversations. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanOptions {
  /** Default: `internal`. */
  readonly kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  readonly attributes?: SpanAttributes;
  /** The span to continue, in W3C form (`traceparent`). Default: a new trace. */
  readonly parent?: string | undefined;
  /** Spans of other traces that this one also works for, in W3C form. */
  readonly links?: readonly string[];
}

export interface Span {
  readonly traceId: string;
  /** This span in W3C form, for headers and rows. */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed, with the error's code or name as `error.type`; messages may contain content. */
  fail(error: unknown): void;
}

/** A span that the caller ends. A span that never ends is not exported. */
export interface OpenSpan extends Span {
  /** Runs work in which this span is the active one. */
  run<T>(work: () => T): T;
  end(): void;
}

export interface Tracing {
  /** False: nothing below does anything, and the packages of OpenTelemetry are not loaded. */
  readonly on: boolean;
  /** Starts a trace or continues one. Undefined if it is not sampled. */
  start(name: string, options?: SpanOptions): OpenSpan | undefined;
  /** Runs the work in a child of the active span. Without an active span it just runs the work. */
  within<T>(name: string, options: SpanOptions, work: (span: Span | undefined) => Promise<T>): Promise<T>;
  /** The span in which the caller runs; undefined outside sampled traces. */
  active(): Span | undefined;
  /** Sends what is left, within two seconds. */
  close(): Promise<void>;
}

export const NO_TRACING: Tracing = {
  on: false,
  start: () => undefined,
  within: (_name, _options, work) => work(undefined),
  active: () => undefined,
  close: () => Promise.resolve(),
};
