import { DomainError } from '@turnkeeper/domain';

export class VendorAppNotFound extends DomainError {
  readonly code = 'vendor_app.not_found';
  readonly kind = 'not_found';
  constructor() {
    super('There is no such vendor app.', {
      field: 'appId',
      rule: 'must name a registered app of this tenant',
      next: 'Register it with PUT /v1/vendor-apps/{vendor}/{appId}.',
    });
  }
}

export class VendorAppTaken extends DomainError {
  readonly code = 'vendor_app.taken';
  readonly kind = 'conflict';
  constructor() {
    super('Another tenant has registered this app with this secret.', {
      field: 'secret',
      rule: 'belongs to one tenant',
      next: 'Check the secret, or make a new one at the vendor.',
    });
  }
}

export class VendorSecretMissing extends DomainError {
  readonly code = 'vendor_app.secret_missing';
  readonly kind = 'invalid';
  constructor() {
    super('This vendor signs its requests: its secret is needed to check them.', {
      field: 'secret',
      rule: 'is required for zegocloud',
      next: "Send the project's ServerSecret.",
    });
  }
}
