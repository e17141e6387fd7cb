import type { WebhookTransport } from '@turnkeeper/application';
import { deliveryHeaders } from './delivery-headers.js';
import { createWebhookSender, type WebhookSenderOptions } from './webhook-sender.js';

/** Signs each attempt and sends it through the guarded sender. */
export const createWebhookTransport = (
  options: WebhookSenderOptions = {},
): WebhookTransport & { close(): Promise<void> } => {
  const sender = createWebhookSender(options);
  return {
    attempt: ({ url, format, secrets, messageId, body, at, attempt, traceparent }, signal) => {
      const bytes = Buffer.from(body);
      const headers = deliveryHeaders({ format, id: messageId, timestamp: at, body: bytes, secrets, attempt });
      const traced = traceparent === undefined ? headers : { ...headers, traceparent };
      return sender.send({ url, body: bytes, headers: traced }, signal);
    },
    close: () => sender.close(),
  };
};
