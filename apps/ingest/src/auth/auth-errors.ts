import type { RateKind } from '@turnkeeper/application';
import { scopesEnoughFor, type Scope } from '@turnkeeper/contracts';
import { DomainError, refusal } from '@turnkeeper/domain';
import { httpFailure } from '../http/http-failure.js';

/**
 * One response for missing, malformed, unknown, revoked and expired keys, so that it reveals nothing to an attacker.
 */
export class Unauthenticated extends refusal('auth.unauthenticated', 'unauthenticated', {
  message: 'The API key or token is missing or not valid.',
  field: 'Authorization',
  rule: 'must be `Bearer` and an API key that is neither revoked nor expired, or a token of the configured issuer',
  next: 'Send a valid key; an operator creates one with `turnkeeper key create`.',
}) {}

export class MissingScope extends refusal('auth.missing_scope', 'forbidden', (scope: Scope) => {
  const enough = scopesEnoughFor(scope).join(' or ');
  return {
    message: `This request requires the scope ${enough}.`,
    title: 'The API key or token does not allow this.',
    field: 'Authorization',
    rule: `must be a key or token with the scope ${enough}`,
    next: 'Use a key with this scope.',
  };
}) {}

export class RateLimited extends DomainError {
  readonly code = 'tenant.rate_limited';
  readonly kind = 'limited';
  /** @param retryAfterSeconds until one request is allowed again */
  constructor(
    readonly retryAfterSeconds: number,
    kind: RateKind = 'requests',
  ) {
    super(`The tenant has used up its ${kind} per second.`, {
      title: 'Too many requests.',
      rule: `must stay within the tenant's ${kind} per second`,
      next: 'Wait for the number of seconds in Retry-After, then continue; send events in batches. GET /v1/limits shows the limits.',
      facts: { retryAfterSeconds },
    });
  }
}

/** Too many failed keys from this address. Valid keys still work. */
export class TooManyFailures extends refusal('auth.too_many_failures', 'limited', (retryAfterSeconds: number) => ({
  message: 'Too many invalid keys or tokens were sent from this address.',
  title: 'Too many failed authentications.',
  rule: 'must stay within AUTH_FAILURES_PER_MINUTE of this server',
  next: 'Wait for the number of seconds in Retry-After, then send a valid key.',
  facts: { retryAfterSeconds },
})) {}

/** The tenant has reached its limit of concurrent requests in this process. */
export class TooManyInFlight extends refusal('tenant.requests_in_flight', 'limited', {
  message: 'The tenant has reached its limit of concurrent requests.',
  title: 'Too many concurrent requests.',
  rule: 'must stay within TENANT_MAX_REQUESTS_IN_FLIGHT of this server',
  next: 'Wait for responses before you send more requests; send events in batches.',
  facts: { retryAfterSeconds: 1 },
}) {}

/** The tenant's reads and large writes take more than its share of the process, and their turn did not come in time. */
export class TooMuchWork extends refusal('tenant.too_much_work', 'limited', (retryAfterSeconds: number) => ({
  message: 'The requests of this tenant take more than its share of the server, beside other tenants.',
  title: 'Too many costly requests.',
  rule: 'must stay within TENANT_WORK_SLOTS of this server while other tenants use it',
  next: 'Wait for the number of seconds in Retry-After; send fewer costly requests concurrently, such as searches, contexts and large batches.',
  facts: { retryAfterSeconds },
})) {}

/** The tenant has reached its limit of open event streams in this process. */
export class TooManyStreams extends refusal('tenant.event_streams', 'limited', {
  message: 'The tenant has reached its limit of open event streams.',
  title: 'Too many event streams.',
  rule: 'must stay within TENANT_MAX_EVENT_STREAMS of this server',
  next: 'Close a stream, or read with GET …/events?after= instead.',
  facts: { retryAfterSeconds: 10 },
}) {}

/** The end user of the runtime is unknown; there is no default user. */
export class RuntimeHeadersMissing extends refusal('runtime.headers_missing', 'invalid', (header: string) => ({
  message: 'A header of the runtime is missing.',
  field: header,
  rule: 'is required, together with the other header of the runtime',
  next: 'Forward both headers of the request that the agent received.',
})) {}

/** The path or query names a user other than the runtime's. */
export class RuntimeUserDiffers extends refusal('runtime.user_differs', 'forbidden', (field: string) => ({
  message: "The request is about another user or session than the runtime's headers.",
  field,
  rule: "must be the one that the runtime's headers name",
  next: 'Use the actor and session of the request that the agent received.',
})) {}

/** A request on behalf of one user reaches data of many. */
export class RuntimeNotForEveryone extends refusal('runtime.not_for_everyone', 'forbidden', {
  message: 'This request would access more than the data of the user named in its headers.',
  title: "Requests with the runtime's headers can access one user's data only.",
  next: 'Send the request without the headers of the runtime, with a key of the operator.',
}) {}

/** The issuer's keys cannot be fetched, so its tokens cannot be verified. API keys keep working. */
export class IssuerUnavailable extends httpFailure(
  'auth.issuer_unavailable',
  "The token issuer's keys cannot be fetched now.",
) {}
