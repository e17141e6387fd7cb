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
    super('This app is registered already.', {
      field: 'secret',
      rule: 'must not be in use by another tenant',
      next: 'Check the secret, or make a new one at the vendor.',
    });
  }
}

export class VendorSecretMissing extends DomainError {
  readonly code = 'vendor_app.secret_missing';
  readonly kind = 'invalid';
  constructor() {
    super('The secret of the vendor app is missing.', {
      field: 'secret',
      rule: 'is required for zegocloud',
      next: "Send the project's ServerSecret.",
    });
  }
}

/** No request of the vendor could ever name such an app. */
export class VendorAppIdInvalid extends DomainError {
  readonly code = 'vendor_app.id_invalid';
  readonly kind = 'invalid';
  constructor() {
    super('The app id is not one of the vendor.', {
      field: 'appId',
      rule: 'must be a number of up to 10 digits for zegocloud',
      next: "Copy the AppID from the vendor's console.",
    });
  }
}
