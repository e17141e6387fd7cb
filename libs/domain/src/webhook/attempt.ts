/** Why an attempt got no answer at all. */
export const ATTEMPT_FAULTS = [
  /** No whole answer within the time limit. */
  'timeout',
  /** The name does not resolve. */
  'dns',
  /** No connection: refused, unreachable. */
  'connect',
  /** The certificate or the handshake was refused. */
  'tls',
  /** The connection broke before an answer. */
  'network',
  /** The name or address leads where webhooks may not go. No packet left. */
  'blocked_address',
  /** The address is no webhook address (scheme, credentials, port). No packet left. */
  'invalid_url',
  /** What came back is not HTTP. */
  'protocol',
  /** We gave up ourselves (shutdown). Says nothing about the endpoint and is not counted as an attempt. */
  'aborted',
] as const;
export type AttemptFault = (typeof ATTEMPT_FAULTS)[number];

/** What one attempt to deliver came to. A remote fault is data, never an exception. */
export type AttemptOutcome =
  | {
      readonly kind: 'response';
      readonly status: number;
      /** The `Retry-After` header as it came. */
      readonly retryAfter?: string;
      readonly durationMs: number;
      /** Start of the answer's body, for people. */
      readonly bodyExcerpt?: string;
    }
  | { readonly kind: 'failed'; readonly code: AttemptFault; readonly message: string; readonly durationMs: number };

/** Why an attempt counts as it does; shown to operators, stable. */
export type AttemptReason =
  | 'delivered'
  | 'gone'
  | 'redirect'
  | 'rate_limited'
  | 'client_error'
  | 'server_error'
  | 'unexpected_status'
  | AttemptFault;

/** 2xx alone is success. A redirect is a failure: following it would send signed history to an unchecked place. */
export const reasonOf = (outcome: AttemptOutcome): AttemptReason => {
  if (outcome.kind === 'failed') return outcome.code;
  const { status } = outcome;
  if (status >= 200 && status < 300) return 'delivered';
  if (status === 410) return 'gone';
  if (status === 429) return 'rate_limited';
  if (status >= 300 && status < 400) return 'redirect';
  if (status >= 400 && status < 500) return 'client_error';
  if (status >= 500 && status < 600) return 'server_error';
  return 'unexpected_status';
};
