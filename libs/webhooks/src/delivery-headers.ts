import type { WebhookFormat } from '@turnkeeper/domain';
import { signAgora } from '@turnkeeper/vendors';
import { standardSignature } from './standard-signature.js';

export interface DeliveryHeadersInput {
  readonly format: WebhookFormat;
  /** Message id; stable across attempts. */
  readonly id: string;
  /** Time of this attempt. */
  readonly timestamp: Date;
  /** The frozen body. */
  readonly body: Buffer | string;
  /** Valid secrets, newest first: one, or two during a rotation. */
  readonly secrets: readonly string[];
  /**
   * Number of this attempt, from 1. Agora's headers hold only one signature, so attempts alternate between the secrets
   * during a rotation: a receiver with either secret accepts the first or the second attempt. Default: 1.
   */
  readonly attempt?: number;
}

/** The headers of one attempt. Every attempt is signed again; the body never changes. */
export const deliveryHeaders = (input: DeliveryHeadersInput): Record<string, string> => {
  const common = { 'content-type': 'application/json', 'user-agent': 'Turnkeeper-Webhooks/1' };
  if (input.format === 'standard') {
    const timestampSeconds = Math.floor(input.timestamp.getTime() / 1000);
    return {
      ...common,
      'webhook-id': input.id,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': standardSignature({ ...input, timestampSeconds }),
    };
  }
  const secret = input.secrets[((input.attempt ?? 1) - 1) % input.secrets.length];
  if (secret === undefined) throw new RangeError('a delivery needs a secret to be signed with');
  const { signature, signatureV2 } = signAgora(secret, input.body);
  return { ...common, 'agora-signature': signature, 'agora-signature-v2': signatureV2 };
};
