/** Why an attempt received no complete answer. */
export const ATTEMPT_FAULTS = [
  /** No complete answer within the time limit. */
  'timeout',
  /** The host name does not resolve. */
  'dns',
  /** No connection: refused or unreachable. */
  'connect',
  /** The certificate was rejected or the handshake failed. */
  'tls',
  /** The connection broke before an answer arrived. */
  'network',
  /** The host resolves to an address that webhooks may not use. Nothing was sent. */
  'blocked_address',
  /** The URL is not allowed for webhooks (scheme, credentials, port). Nothing was sent. */
  'invalid_url',
  /** The answer is not HTTP. */
  'protocol',
  /** We aborted the attempt (shutdown). Not the endpoint's fault and not counted. */
  'aborted',
] as const;
export type AttemptFault = (typeof ATTEMPT_FAULTS)[number];

/** The result of one delivery attempt. A remote error is a value, never an exception. */
export type AttemptOutcome =
  | {
      readonly kind: 'response';
      readonly status: number;
      /** The `Retry-After` header, unchanged. */
      readonly retryAfter?: string;
      readonly durationMs: number;
      /** The beginning of the response body, for display. */
      readonly bodyExcerpt?: string;
    }
  | { readonly kind: 'failed'; readonly code: AttemptFault; readonly message: string; readonly durationMs: number };

/** The reason for an attempt's result. Shown to operators; values are stable. */
export type AttemptReason =
  | 'delivered'
  | 'gone'
  | 'redirect'
  | 'rate_limited'
  | 'client_error'
  | 'server_error'
  | 'unexpected_status'
  | AttemptFault;

/** Only 2xx is success. A redirect is a failure: following it would send a signed history to an unverified address. */
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
