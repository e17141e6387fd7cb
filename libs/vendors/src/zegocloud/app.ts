import type { VendorAppRule } from '@turnkeeper/application';
import { refusal } from '@turnkeeper/domain';

export class VendorSecretMissing extends refusal('vendor_app.secret_missing', 'invalid', {
  message: 'The secret of the vendor app is missing.',
  field: 'secret',
  rule: 'is required for zegocloud',
  next: "Send the project's ServerSecret.",
}) {}

/** No request of the vendor can name such an app. */
export class VendorAppIdInvalid extends refusal('vendor_app.id_invalid', 'invalid', {
  message: "The app id does not have the vendor's format.",
  field: 'appId',
  rule: 'must be a number of up to 10 digits for zegocloud',
  next: "Copy the AppID from the vendor's console.",
}) {}

/** A project's id is a number, and its ServerSecret signs every request. */
export const checkZegoApp: VendorAppRule = ({ appId, secret }) => {
  if (!/^[1-9]\d{0,9}$/.test(appId)) throw new VendorAppIdInvalid();
  if (secret === null) throw new VendorSecretMissing();
};
