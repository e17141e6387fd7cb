import { DomainError } from '@turnkeeper/domain';

/** The same answer for a missing, malformed, unknown, revoked and expired key: it tells an attacker nothing. */
export class Unauthenticated extends DomainError {
  readonly code = 'auth.unauthenticated';
  readonly kind = 'unauthenticated';
  constructor() {
    super('The API key is missing or not valid.', {
      field: 'Authorization',
      rule: 'must be `Bearer <API key>` with a key that is neither revoked nor expired',
      next: 'Send a valid key; an operator makes one with the `key create` command.',
    });
  }
}

export class MissingScope extends DomainError {
  readonly code = 'auth.missing_scope';
  readonly kind = 'forbidden';
  constructor(scope: string) {
    super('The API key may not do this.', {
      field: 'Authorization',
      rule: `the key must have the scope ${scope}`,
      next: 'Use a key with this scope.',
    });
  }
}
