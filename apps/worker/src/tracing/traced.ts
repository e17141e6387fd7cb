import type { OpenSpan, Tracing } from '@turnkeeper/platform';

/** Runs the work in the span, if there is one, and ends it. */
export const traced = async <T>(span: OpenSpan | undefined, work: () => Promise<T>): Promise<T> => {
  if (span === undefined) return work();
  try {
    return await span.run(work);
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
};

/** Headers of an outgoing request that let the receiver continue the trace; none outside sampled traces. */
export const traceHeaders = (tracing: Tracing): Readonly<Record<string, string>> => {
  const active = tracing.active();
  return active === undefined ? {} : { traceparent: active.traceparent };
};
