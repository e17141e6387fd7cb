import type { AttemptOutcome, WebhookFormat } from '@turnkeeper/domain';

/** Signs and sends one attempt. Remote faults are data: it never rejects for them. */
export interface WebhookTransport {
  attempt(
    message: {
      readonly url: string;
      readonly format: WebhookFormat;
      /** All of them sign. */
      readonly secrets: readonly string[];
      readonly messageId: string;
      readonly body: Uint8Array;
      /** When this attempt is made; part of the Standard Webhooks signature. */
      readonly at: Date;
      /** Which attempt this is, from 1. */
      readonly attempt: number;
    },
    signal: AbortSignal,
  ): Promise<AttemptOutcome>;
}
