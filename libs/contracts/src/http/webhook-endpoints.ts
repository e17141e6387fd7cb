import { WEBHOOK_EVENTS, WEBHOOK_FORMATS } from '@turnkeeper/domain';
import { z } from 'zod';
import { text } from './common.js';

export const createWebhookEndpointBody = z.strictObject({
  url: text(2_048, 1),
  description: text(255).default(''),
  /** What is sent there; the agent's history only, when absent. */
  events: z
    .array(z.enum(WEBHOOK_EVENTS, `must be one of ${WEBHOOK_EVENTS.join(', ')}`))
    .min(1, 'must name at least one event')
    .default(['agent.history']),
  /** `standard`: Standard Webhooks headers and our body. `agora`: Agora's envelope and both its signatures. */
  format: z.enum(WEBHOOK_FORMATS, `must be one of ${WEBHOOK_FORMATS.join(', ')}`).default('standard'),
  /** Absent: one is made and shown once. `standard` wants `whsec_` and base64 of 24–64 bytes. */
  secret: text(255, 1).optional(),
});
export type CreateWebhookEndpointBody = z.infer<typeof createWebhookEndpointBody>;
