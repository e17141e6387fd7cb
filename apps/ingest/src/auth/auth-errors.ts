import { DomainError } from '@turnkeeper/domain';

/** The same answer for a missing, malformed, unknown, revoked and expired key: it tells an attacker nothing. */
export class Unauthenticated extends DomainError {
  readonly code = 'auth.unauthenticated';
  readonly kind = 'unauthenticated';
  constructor() {
    super('The API key or token is missing or not valid.', {
      field: 'Authorization',
      rule: 'must be `Bearer <API key>` with a key that is neither revoked nor expired, or a token of the issuer',
      next: 'Send a valid key; an operator makes one with the `key create` command.',
    });
  }
}

export class MissingScope extends DomainError {
  readonly code = 'auth.missing_scope';
  readonly kind = 'forbidden';
  constructor(scope: string) {
    super('The API key or token may not do this.', {
      field: 'Authorization',
      rule: `the key must have the scope ${scope}`,
      next: 'Use a key with this scope.',
    });
  }
}

export class RateLimited extends DomainError {
  readonly code = 'tenant.rate_limited';
  readonly kind = 'limited';
  /** @param retryAfterSeconds when there is room for one request again */
  constructor(readonly retryAfterSeconds: number) {
    super('This tenant makes more requests than it may.', {
      rule: "must stay within the tenant's requests per second",
      next: 'Wait for the seconds in Retry-After, then go on; send events in batches.',
      facts: { retryAfterSeconds },
    });
  }
}

/** Which end user a runtime speaks for is not known: nothing falls back to a default one. */
export class RuntimeHeadersMissing extends DomainError {
  readonly code = 'runtime.headers_missing';
  readonly kind = 'invalid';
  constructor(header: string) {
    super('The runtime has not said for which user and session this is.', {
      field: header,
      rule: 'is required, together with the other header of the runtime',
      next: 'Pass on both headers of the request that the agent got.',
    });
  }
}

/** The path or query is about somebody else than the runtime's user. */
export class RuntimeUserDiffers extends DomainError {
  readonly code = 'runtime.user_differs';
  readonly kind = 'forbidden';
  constructor(field: string) {
    super('The runtime speaks for another user or session than the request is about.', {
      field,
      rule: "must be what the runtime's headers name",
      next: 'Use the actor and session of the request that the agent got.',
    });
  }
}

/** The issuer's keys cannot be had: nothing is known about its tokens. Keys of our own work on. */
export class IssuerUnavailable extends Error {
  readonly code = 'auth.issuer_unavailable';
  constructor(options?: ErrorOptions) {
    super("The token issuer's keys cannot be had now.", options);
    this.name = 'IssuerUnavailable';
  }
}
