import { refusal } from '@turnkeeper/domain';

export class VendorAppTaken extends refusal('vendor_app.taken', 'conflict', {
  message: 'This app is already registered.',
  field: 'secret',
  rule: 'must not be in use by another tenant',
  next: 'Check the secret, or create a new one at the vendor.',
}) {}
