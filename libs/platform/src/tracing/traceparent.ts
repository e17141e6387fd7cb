/** The ids in a `traceparent`. */
export interface TraceIds {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

const VERSION_0 = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Parses a W3C `traceparent`; null if it is invalid. */
export const parseTraceparent = (text: unknown): TraceIds | null => {
  const found = typeof text === 'string' ? VERSION_0.exec(text) : null;
  if (found === null) return null;
  const [, traceId = '', spanId = '', flags = ''] = found;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
};

export const formatTraceparent = ({ traceId, spanId, traceFlags }: TraceIds): string =>
  `00-${traceId}-${spanId}-${traceFlags === 1 ? '01' : '00'}`;
