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
    super('This app is already registered.', {
      field: 'secret',
      rule: 'must not be in use by another tenant',
      next: 'Check the secret, or create a new one at the vendor.',
    });
  }
}
