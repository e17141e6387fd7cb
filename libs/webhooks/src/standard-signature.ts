import { createHmac, randomBytes } from 'node:crypto';
import { WebhookSecretRefused } from '@turnkeeper/domain';

/** Standard Webhooks 1.0, "Signature scheme": symmetric secrets are 24 to 64 random bytes, encoded in base64. */
const PREFIX = 'whsec_';
const MIN_BYTES = 24;
const MAX_BYTES = 64;
const RULE = `must be ${PREFIX} and the base64 of ${MIN_BYTES} to ${MAX_BYTES} bytes`;

/** Generates a secret of 32 random bytes, `whsec_…`. */
export const generateStandardSecret = (): string => PREFIX + randomBytes(32).toString('base64');

/**
 * Returns the key bytes of a secret.
 *
 * @throws WebhookSecretRefused for anything but `whsec_` and the padded base64 of 24 to 64 bytes
 */
export const parseStandardSecret = (secret: string): Buffer => {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  const key = Buffer.from(text, 'base64');
  // Node's decoder skips invalid characters; only encoding again shows that the whole text was base64.
  if (key.toString('base64') !== text || key.length < MIN_BYTES || key.length > MAX_BYTES) {
    throw new WebhookSecretRefused(RULE);
  }
  return key;
};

export interface StandardSignatureInput {
  /** `webhook-id`; stable across attempts. */
  readonly id: string;
  /** `webhook-timestamp` of this attempt, in seconds since 1970. */
  readonly timestampSeconds: number;
  /** The request body. */
  readonly body: Buffer | string;
  /** One, or several during a rotation. The message is signed with each of them, and a receiver accepts any. */
  readonly secrets: readonly string[];
}

/** The value of `webhook-signature`: `v1,<base64>` per secret, separated by spaces. */
export const standardSignature = ({ id, timestampSeconds, body, secrets }: StandardSignatureInput): string =>
  secrets
    .map((secret) => {
      const hmac = createHmac('sha256', parseStandardSecret(secret));
      return `v1,${hmac.update(`${id}.${timestampSeconds}.`).update(body).digest('base64')}`;
    })
    .join(' ');
