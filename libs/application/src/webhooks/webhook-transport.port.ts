import type { AttemptOutcome, WebhookFormat } from '@turnkeeper/domain';

/** Signs and sends one attempt. Remote failures are returned as data, never as rejections. */
export interface WebhookTransport {
  attempt(
    message: {
      readonly url: string;
      readonly format: WebhookFormat;
      /** The message is signed with each of them. */
      readonly secrets: readonly string[];
      readonly messageId: string;
      readonly body: Uint8Array;
      /** Time of this attempt; part of the Standard Webhooks signature. */
      readonly at: Date;
      /** Number of this attempt, from 1. */
      readonly attempt: number;
      /** The trace that the receiver can continue (W3C). Default: none. */
      readonly traceparent?: string;
    },
    signal: AbortSignal,
  ): Promise<AttemptOutcome>;
}
