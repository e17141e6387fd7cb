import { refusal } from '@turnkeeper/domain';

export class VendorAppNotFound extends refusal('vendor_app.not_found', 'not_found', {
  message: 'There is no such vendor app.',
  field: 'appId',
  rule: 'must name a registered app of this tenant',
  next: 'Register it with PUT /v1/vendor-apps/{vendor}/{appId}.',
}) {}

export class VendorAppTaken extends refusal('vendor_app.taken', 'conflict', {
  message: 'This app is already registered.',
  field: 'secret',
  rule: 'must not be in use by another tenant',
  next: 'Check the secret, or create a new one at the vendor.',
}) {}
