import { DEFAULT_OVERLAP_SECONDS, WEBHOOK_EVENTS, WEBHOOK_FORMATS } from '@turnkeeper/domain';
import { z } from 'zod';
import { instant, listLimit, text, uuid } from './common.js';

const url = text(2_048, 1);
const description = text(255);
const event = z.enum(WEBHOOK_EVENTS, `must be one of ${WEBHOOK_EVENTS.join(', ')}`);
const events = z.array(event).min(1, 'must name at least one event');
/** `standard` requires `whsec_` and base64 of 24–64 bytes. */
const secret = text(255, 8);

export const createWebhookEndpointBody = z.strictObject({
  url,
  description: description.default(''),
  /** Subscribed events. Default: only the agent's history. */
  events: events.default(['agent.history']),
  /** `standard`: Standard Webhooks headers and our body. `agora`: Agora's envelope and both its signatures. */
  format: z.enum(WEBHOOK_FORMATS, `must be one of ${WEBHOOK_FORMATS.join(', ')}`).default('standard'),
  /** Absent: generated, and returned once. */
  secret: secret.optional(),
});
export type CreateWebhookEndpointBody = z.infer<typeof createWebhookEndpointBody>;

/** Absent fields stay unchanged. */
export const changeWebhookEndpointBody = z.strictObject({
  url: url.optional(),
  description: description.optional(),
  events: events.optional(),
});
export type ChangeWebhookEndpointBody = z.infer<typeof changeWebhookEndpointBody>;

const WEEK_SECONDS = 604_800;

/** How long earlier secrets stay valid. 0 invalidates them immediately, for a leaked secret. */
export const overlapSeconds = z
  .number()
  .int()
  .min(0, 'must be between 0 and 604,800 (7 days)')
  .max(WEEK_SECONDS, 'must be between 0 and 604,800 (7 days)')
  .default(DEFAULT_OVERLAP_SECONDS);

export const rotateWebhookSecretBody = z
  .strictObject({
    /** Absent: generated, and returned once. */
    secret: secret.optional(),
    overlapSeconds,
  })
  .prefault({});
export type RotateWebhookSecretBody = z.infer<typeof rotateWebhookSecretBody>;

/** Position in a listing, from `next`. */
const place = z
  .string()
  .regex(/^[0-9TZ:.-]{24}_[0-9a-f-]{36}$/, 'must be the `next` of the previous page')
  .transform((value) => {
    const [createdAt = '', deliveryId = ''] = value.split('_');
    return { createdAt, deliveryId };
  })
  .refine(
    ({ createdAt, deliveryId }) => instant.safeParse(createdAt).success && uuid.safeParse(deliveryId).success,
    'must be the `next` of the previous page',
  );

export const listDeliveriesQuery = z.strictObject({
  status: z.enum(['pending', 'delivered', 'parked'], 'must be one of pending, delivered, parked').optional(),
  eventType: event.optional(),
  /** Planned at or after `since`, and before `until`. */
  since: instant.optional(),
  until: instant.optional(),
  limit: listLimit(),
  after: place.optional().describe('`next` of the previous page.'),
});

const includeDelivered = z
  .boolean()
  .default(false)
  .describe('Also resend acknowledged deliveries. Each such call sends them again.');

export const replayDeliveryBody = z.strictObject({ includeDelivered }).prefault({});
export const replayDeliveriesBody = z.strictObject({
  since: instant.describe('Deliveries planned at or after this time.'),
  until: instant.optional().describe('Deliveries planned before this time.'),
  includeDelivered,
});
export const sendDeliveriesNowBody = z.strictObject({
  since: instant.describe('Deliveries planned at or after this time.'),
  until: instant.optional().describe('Deliveries planned before this time.'),
});

/** The link identifies the history and its expiry time, both signed. */
export const wholeHistoryQuery = z.strictObject({
  tenant: uuid,
  expires: z.coerce.number().int().describe('Seconds since 1970.'),
  signature: text(64, 1),
});
