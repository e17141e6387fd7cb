import { WebhookSecretRefused } from '@turnkeeper/domain';
import { createHmac, randomBytes } from 'node:crypto';
import { hexEquals } from '../shared/hex.js';

/** Both signatures of Agora's notification service (Agora docs, "Notification Center", signature verification). */
export interface AgoraSignatures {
  /** `Agora-Signature`: HMAC-SHA1 over the raw body, lowercase hex. */
  readonly signature: string;
  /** `Agora-Signature-V2`: HMAC-SHA256 over the raw body, lowercase hex. */
  readonly signatureV2: string;
}

const hmac = (algorithm: 'sha1' | 'sha256', secret: string, body: Uint8Array | string): Buffer =>
  createHmac(algorithm, secret).update(body).digest();

export const signAgora = (secret: string, body: Uint8Array | string): AgoraSignatures => ({
  signature: hmac('sha1', secret, body).toString('hex'),
  signatureV2: hmac('sha256', secret, body).toString('hex'),
});

/**
 * Verifies that a notification is signed with one of the secrets. At least one signature must be given, and all given
 * ones must be valid.
 *
 * @param body the raw bytes as received; a reserialized body has another signature
 * @param secrets one, or several during a rotation
 */
export const verifyAgora = (
  secrets: readonly string[],
  body: Uint8Array | string,
  given: { readonly signature?: string | undefined; readonly signatureV2?: string | undefined },
): boolean => {
  if (given.signature === undefined && given.signatureV2 === undefined) return false;
  return secrets.some(
    (secret) =>
      secret !== '' &&
      (given.signature === undefined || hexEquals(hmac('sha1', secret, body), given.signature)) &&
      (given.signatureV2 === undefined || hexEquals(hmac('sha256', secret, body), given.signatureV2)),
  );
};

/** Generates a secret: 32 random bytes in base64url. Agora's console accepts any text. */
export const generateAgoraSecret = (): string => randomBytes(32).toString('base64url');

/** @throws WebhookSecretRefused unless it has 1 to 255 printable ASCII characters */
export const assertAgoraSecret = (secret: string): void => {
  if (!/^[\x21-\x7e]{1,255}$/.test(secret))
    throw new WebhookSecretRefused('must have 1 to 255 printable ASCII characters');
};
