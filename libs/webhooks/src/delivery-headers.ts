import type { WebhookFormat } from '@turnkeeper/domain';
import { signAgora } from './agora-signature.js';
import { standardSignature } from './standard-signature.js';

export interface DeliveryHeadersInput {
  readonly format: WebhookFormat;
  /** The message's id: the same on every attempt. */
  readonly id: string;
  /** When this attempt is made. */
  readonly timestamp: Date;
  /** The frozen bytes. */
  readonly body: Buffer | string;
  /** Valid secrets, newest first: one, or two while a rotation overlaps. */
  readonly secrets: readonly string[];
  /**
   * Which attempt this is, from 1. Agora's headers hold one signature only, so while a rotation overlaps the attempts
   * take turns: a receiver that knows either secret accepts the first or the second. Default 1.
   */
  readonly attempt?: number;
}

/** The headers of one attempt: signed anew each time, over bytes that never change. */
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
