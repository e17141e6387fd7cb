import { actorId, instant, listLimit, listOf, overlapSeconds, sessionId, text } from '@turnkeeper/contracts';
import { z } from 'zod';
import { CONNECTABLE } from '../vendors.js';
import { connectorBase, secret } from './connector-base.js';

const names = CONNECTABLE.map(({ name }) => name);
const [first, ...others] = CONNECTABLE.map(({ connector }) => connector.body) as [
  (typeof CONNECTABLE)[number]['connector']['body'],
];

export const createConnectorBody = z.discriminatedUnion('vendor', [first, ...others], {
  error: `must be ${names.join(', ').replace(/, (?=[^,]*$)/, ' or ')}`,
});

type PlaceFields = Readonly<Record<string, z.ZodOptional<z.ZodType<string>>>>;

/**
 * Fields of any vendor that map calls to actors and sessions, without their defaults. Throws for a field without a default,
 * because clients that know no vendor, such as the console, create connectors without these fields.
 */
export const placeFieldsOf = (
  vendors: readonly { readonly name: string; readonly connector: { readonly body: z.ZodObject } }[],
): PlaceFields =>
  Object.fromEntries(
    vendors.flatMap(({ name: vendor, connector }) =>
      Object.entries(connector.body.shape)
        .filter(([name]) => name !== 'vendor' && !(name in connectorBase))
        .map(([name, field]) => {
          if (field instanceof z.ZodDefault) return [name, (field as z.ZodDefault<z.ZodString>).unwrap().optional()];
          throw new TypeError(`The field ${name} of ${vendor}'s connectors must be a text with a default.`);
        }),
    ),
  );

/** Absent fields stay unchanged; fields that do not apply to the vendor are ignored. */
export const changeConnectorBody = z.strictObject({
  description: text(255).optional(),
  ...placeFieldsOf(CONNECTABLE),
});

export const rotateConnectorSecretBody = z.strictObject({ secret, overlapSeconds });

const instanceId = text(255, 1);
export const mapInstanceBody = z.strictObject({ instanceId, actorId, sessionId });

export const listMappingsQuery = z.strictObject({
  instanceId,
  limit: listLimit(),
  after: z.coerce.number().int().min(1).optional().describe('`next` of the previous page.'),
});

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
    vendor: z.string().meta({ enum: names }),
    memoryId: z.uuid(),
    description: z.string(),
    callbackUrl: z.string().describe("URL to enter in the vendor's console."),
    places: z.record(z.string(), z.string()).describe('How the actor and session of a call are determined.'),
    secrets: z.array(z.object({ createdAt: stamp, expiresAt: stamp.nullable() })),
    createdAt: stamp,
  })
  .meta({ id: 'Connector' });

const noticeView = z
  .object({
    noticeKey: z.string(),
    callKey: z
      .string()
      .nullable()
      .describe(
        "The vendor's id of the agent or instance; if its events are forwarded, an id derived from the user, session and call.",
      ),
    eventType: z.string().describe(CONNECTABLE.map(({ connector }) => connector.eventTypes).join(' ')),
    status: z.enum(NOTICE_STATUSES),
    code: z.string().nullable().describe('Why it was parked.'),
    receivedAt: stamp,
  })
  .meta({ id: 'ConnectorNotice' });

export const noticesView = listOf(noticeView);

export const mappingsView = listOf(
  z
    .object({
      instanceId: z.string(),
      actorId: z.string(),
      sessionId: z.string(),
      replacedAt: stamp.nullable().describe('When another mapping replaced it; null for the current one.'),
    })
    .meta({ id: 'InstanceMapping' }),
);

export const retriedView = z.object({ retried: z.int() });
