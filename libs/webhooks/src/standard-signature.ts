import { createHmac, randomBytes } from 'node:crypto';
import { WebhookSecretRefused } from '@turnkeeper/domain';

/** Standard Webhooks 1.0, "Signature scheme": symmetric secrets are 24 to 64 random bytes, written in base64. */
const PREFIX = 'whsec_';
const MIN_BYTES = 24;
const MAX_BYTES = 64;
const RULE = `must be ${PREFIX} and the base64 of ${MIN_BYTES} to ${MAX_BYTES} bytes`;

/** A new secret of 32 random bytes, `whsec_…`. */
export const generateStandardSecret = (): string => PREFIX + randomBytes(32).toString('base64');

/**
 * The key bytes of a secret.
 *
 * @throws WebhookSecretRefused for anything but `whsec_` and the padded base64 of 24 to 64 bytes
 */
export const parseStandardSecret = (secret: string): Buffer => {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  const key = Buffer.from(text, 'base64');
  // Node's decoder skips what it does not know; only the way back shows that all of it was base64.
  if (key.toString('base64') !== text || key.length < MIN_BYTES || key.length > MAX_BYTES) {
    throw new WebhookSecretRefused(RULE);
  }
  return key;
};

export interface StandardSignatureInput {
  /** `webhook-id`: the same on every attempt. */
  readonly id: string;
  /** `webhook-timestamp` in seconds since 1970: that of this attempt. */
  readonly timestampSeconds: number;
  /** The bytes that are sent. */
  readonly body: Buffer | string;
  /** One, or several while a rotation overlaps: each signs, and a receiver accepts any. */
  readonly secrets: readonly string[];
}

/** The value of `webhook-signature`: `v1,<base64>` for each secret, separated by spaces. */
export const standardSignature = ({ id, timestampSeconds, body, secrets }: StandardSignatureInput): string =>
  secrets
    .map((secret) => {
      const hmac = createHmac('sha256', parseStandardSecret(secret));
      return `v1,${hmac.update(`${id}.${timestampSeconds}.`).update(body).digest('base64')}`;
    })
    .join(' ');
