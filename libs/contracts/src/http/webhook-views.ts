import { WEBHOOK_EVENTS, WEBHOOK_FORMATS } from '@turnkeeper/domain';
import { z } from 'zod';

const stamp = z.iso.datetime({ offset: true });

/** An endpoint without its secrets: they are shown once, when they are made. */
export const webhookEndpointView = z
  .looseObject({
    id: z.uuid(),
    url: z.string(),
    description: z.string(),
    events: z.array(z.enum(WEBHOOK_EVENTS)).nullable(),
    format: z.enum(WEBHOOK_FORMATS),
    status: z.enum(['active', 'paused', 'disabled']),
    createdAt: stamp,
  })
  .meta({ id: 'WebhookEndpoint' });

export const createdWebhookEndpointView = webhookEndpointView
  .extend({ secret: z.string().describe('Shown this once.') })
  .meta({ id: 'CreatedWebhookEndpoint' });

export const webhookDeliveryView = z
  .looseObject({
    deliveryId: z.uuid(),
    endpointId: z.uuid(),
    messageId: z.string(),
    eventType: z.enum(WEBHOOK_EVENTS),
    agentId: z.uuid(),
    status: z.enum(['pending', 'delivered', 'parked']),
    attempts: z.int(),
    createdAt: stamp,
    history: z.array(
      z.looseObject({
        attempt: z.int(),
        at: stamp,
        reason: z.string(),
        status: z.int().nullable(),
        durationMs: z.number(),
        detail: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'WebhookDelivery' });
