import { WEBHOOK_EVENTS, WEBHOOK_FORMATS } from '@turnkeeper/domain';
import { z } from 'zod';
import { conversationMessageView } from './agent-views.js';
import { agentStatus } from './agents.js';
import { listOf } from './paging.js';

const stamp = z.iso.datetime({ offset: true });

/** When a secret was created and when it expires; never the secret itself. */
const secretLifeView = z.object({
  createdAt: stamp,
  expiresAt: stamp.nullable().describe('When it stops signing; null for the newest secret.'),
});

/** An endpoint without its secrets. A secret is returned only once, when it is created. */
export const webhookEndpointView = z
  .looseObject({
    id: z.uuid(),
    url: z.string(),
    description: z.string(),
    events: z.array(z.enum(WEBHOOK_EVENTS)).nullable(),
    format: z.enum(WEBHOOK_FORMATS),
    status: z
      .enum(['active', 'paused', 'disabled'])
      .describe(
        '`paused`: deliveries wait until the endpoint is resumed. `disabled`: it answered 410; no deliveries are created until it is resumed.',
      ),
    secrets: z.array(secretLifeView).describe('The secrets that currently sign, newest first.'),
    createdAt: stamp,
  })
  .meta({ id: 'WebhookEndpoint' });

export const webhookEndpointWithSecretView = webhookEndpointView
  .extend({ secret: z.string().describe('Shown only once.') })
  .meta({ id: 'WebhookEndpointWithSecret' });

export const webhookTestView = z
  .object({
    messageId: z.string(),
    delivered: z.boolean(),
    reason: z.string(),
    status: z.int().nullable().describe('HTTP status of the response; null if there was none.'),
    durationMs: z.number(),
    detail: z.string().nullable(),
  })
  .meta({ id: 'WebhookTestResult' });

const webhookDeliveryView = z
  .looseObject({
    id: z.uuid(),
    endpointId: z.uuid(),
    messageId: z.string(),
    eventType: z.enum(WEBHOOK_EVENTS),
    agentId: z.uuid().nullable().describe('Null if the message is not about an agent.'),
    status: z.enum(['pending', 'delivered', 'parked']),
    attempts: z.int().describe('Counted attempts since it was planned or last replayed.'),
    round: z.int().describe('1, incremented by each replay.'),
    dueAt: stamp.nullable().describe('When the next attempt is due; null unless pending.'),
    lastReason: z.string().nullable(),
    parkReason: z.string().nullable(),
    createdAt: stamp,
    purgedAt: stamp.nullable().describe('When its body was deleted; it can no longer be replayed.'),
    history: z.array(
      z.looseObject({
        attempt: z.int().describe('Number of the attempt across all rounds, from 1.'),
        at: stamp,
        reason: z.string(),
        status: z.int().nullable(),
        durationMs: z.number(),
        detail: z.string().nullable().describe('The error, if there was no complete response.'),
        response: z
          .string()
          .nullable()
          .describe("The first 512 characters of the response's body; null if it had none or has been deleted."),
      }),
    ),
  })
  .meta({ id: 'WebhookDelivery' });

/** Most bytes of a delivery's body in a response. */
export const DELIVERY_BODY_BYTES = 65_536;

export const webhookDeliveryContentView = webhookDeliveryView
  .extend({
    body: z
      .string()
      .nullable()
      .describe('The first 64 KiB of the body; null before the first attempt, and after the body was deleted.'),
    bodyBytes: z.int().nullable().describe('Size of the whole body.'),
  })
  .meta({ id: 'WebhookDeliveryContent' });

export const webhookDeliveriesView = listOf(webhookDeliveryView);

export const replayedView = z.object({
  replayed: z
    .int()
    .describe('Number of deliveries that are pending again. Deliveries that were already pending are not counted.'),
});

export const sentNowView = z.object({
  sending: z
    .int()
    .describe('Number of pending deliveries that are due now. Deliveries that were already due are not counted.'),
});

export const wholeHistoryView = z.object({
  agentId: z.uuid(),
  status: agentStatus,
  contents: z.array(
    // Spelled out, because a named schema cannot be extended without getting its own name.
    z.looseObject({
      ...conversationMessageView.shape,
      eventId: z.uuid(),
      sequence: z.int().nullable(),
      recordedAt: stamp,
    }),
  ),
});
