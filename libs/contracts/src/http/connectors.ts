import { isZegoTemplate, ZEGO_PLACE_VARIABLES } from '@turnkeeper/domain';
import { z } from 'zod';
import { actorId, instant, listLimit, sessionId, text, uuid } from './common.js';
import { listOf } from './paging.js';
import { overlapSeconds } from './webhook-endpoints.js';

const description = text(255).default('');
/** The secret from the vendor's console that signs its callbacks. Shorter ones could be guessed. */
const secret = text(255, 6).regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces');
const label = text(255, 1);
const variables = ZEGO_PLACE_VARIABLES.map((name) => `{${name}}`).join(', ');
const template = text(255, 1).refine(isZegoTemplate, `may name ${variables} and nothing else`);

const agoraConnectorBody = z.strictObject({
  vendor: z.literal('agora'),
  memoryId: uuid,
  description,
  secret,
  /** Name of the agent label that holds the user's id. */
  actorLabel: label.default('user_id'),
  /** Name of the agent label that holds the session's id; if the label is absent, the channel is used. */
  sessionLabel: label.default('session_id'),
});

const zegoConnectorBody = z.strictObject({
  vendor: z.literal('zegocloud'),
  memoryId: uuid,
  description,
  secret,
  actorTemplate: template.default('{UserId}'),
  sessionTemplate: template.default('{AgentInstanceId}'),
});

export const createConnectorBody = z.discriminatedUnion('vendor', [agoraConnectorBody, zegoConnectorBody], {
  error: 'must be agora or zegocloud',
});
export type CreateConnectorBody = z.infer<typeof createConnectorBody>;

/** Absent fields stay unchanged; fields that do not apply to the vendor are ignored. */
export const changeConnectorBody = z.strictObject({
  description: text(255).optional(),
  actorLabel: label.optional(),
  sessionLabel: label.optional(),
  actorTemplate: template.optional(),
  sessionTemplate: template.optional(),
});
export type ChangeConnectorBody = z.infer<typeof changeConnectorBody>;

export const rotateConnectorSecretBody = z.strictObject({ secret, overlapSeconds });
export type RotateConnectorSecretBody = z.infer<typeof rotateConnectorSecretBody>;

export const mapInstanceBody = z.strictObject({ instanceId: text(255, 1), actorId, sessionId });
export type MapInstanceBody = z.infer<typeof mapInstanceBody>;

const NOTICE_STATUSES = ['waiting', 'applied', 'folded', 'ignored', 'parked'] as const;

/** Position in a listing, from `next`. */
const place = z
  .string()
  .regex(/^[0-9TZ:.-]{24}_.{1,255}$/, 'must be the `next` of the previous page')
  .transform((value) => ({ receivedAt: value.slice(0, 24), noticeKey: value.slice(25) }))
  .refine(({ receivedAt }) => instant.safeParse(receivedAt).success, 'must be the `next` of the previous page');

export const listNoticesQuery = z.strictObject({
  status: z.enum(NOTICE_STATUSES, `must be one of ${NOTICE_STATUSES.join(', ')}`).optional(),
  limit: listLimit(),
  after: place.optional().describe('`next` of the previous page.'),
});

const stamp = z.iso.datetime({ offset: true });

export const connectorView = z
  .looseObject({
    id: z.uuid(),
    vendor: z.enum(['agora', 'zegocloud']),
    memoryId: z.uuid(),
    description: z.string(),
    callbackUrl: z.string().describe("To be set in the vendor's console."),
    places: z.record(z.string(), z.string()).describe('How actor and session are found.'),
    secrets: z.array(z.object({ createdAt: stamp, expiresAt: stamp.nullable() })),
    createdAt: stamp,
  })
  .meta({ id: 'Connector' });

export const noticeView = z
  .object({
    noticeKey: z.string(),
    callKey: z.string().nullable().describe("The vendor's id of the agent or instance."),
    eventType: z.string().describe("Agora: product and event number. ZEGOCLOUD: the event's name."),
    status: z.enum(NOTICE_STATUSES),
    code: z.string().nullable().describe('Why it was parked.'),
    receivedAt: stamp,
  })
  .meta({ id: 'ConnectorNotice' });

export const noticesView = listOf(noticeView);

export const retriedView = z.object({ retried: z.int() });

export const receivedView = z.object({ received: z.literal(true), duplicate: z.boolean() });

/** The raw bytes, because the signature covers them. */
export const vendorBody = z
  .unknown()
  .meta({ type: 'object', description: "The vendor's own JSON; see its documentation." });
