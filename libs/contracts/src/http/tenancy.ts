import { MAX_OVERLAP_HOURS } from '@turnkeeper/domain';
import { z } from 'zod';
import { SCOPES } from '../routes/scopes.js';
import { actorId, text, uuid } from './common.js';

const stamp = z.iso.datetime({ offset: true });
const requestsPerSecond = z
  .number()
  .int()
  .min(1)
  .max(1_000_000)
  .nullable()
  .describe("Across all ingest processes. Null: the installation's limit.");

/** Largest value of any limit; the byte rate needs the most. */
const MOST = 1_099_511_627_776;
const own = (about: string, least: number) =>
  z
    .number()
    .int('must be a whole number')
    .min(least, `must be at least ${least}`)
    .max(MOST)
    .nullable()
    .optional()
    .describe(`${about} Null: the installation's limit.`);

/** A tenant's own limits, other than requests per second. */
const ownLimits = z
  .strictObject({
    bytesPerSecond: own('Bytes of request bodies per second, over all ingest processes.', 1_024),
    requestsInFlight: own('Requests that one ingest process serves at the same time.', 1),
    memories: own('Memories.', 0),
    keys: own('Valid API keys.', 0),
    webhookEndpoints: own('Webhook endpoints; a stop makes at most two deliveries for each.', 0),
    connectors: own('Connectors and vendor apps together.', 0),
    vendorAgents: own("Agents that were registered through a vendor's API.", 0),
    instanceMappings: own('Mappings of agent instances, including replaced ones.', 0),
    dueWork: own('Pieces of due work before requests for more are refused.', 0),
  })
  .meta({ id: 'TenantLimits' });

export const createTenantBody = z.strictObject({
  name: text(255, 1),
  requestsPerSecond: requestsPerSecond.default(null),
  limits: ownLimits.default({}),
});

export const changeTenantBody = z
  .strictObject({ requestsPerSecond: requestsPerSecond.optional(), limits: ownLimits.default({}) })
  .describe('Absent limits are unchanged.');

export const tenantView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    requestsPerSecond: z.int().nullable(),
    limits: z.record(z.string(), z.int()).describe("The tenant's own limits, without those of the installation."),
    createdAt: stamp,
  })
  .meta({ id: 'Tenant' });

export const createKeyBody = z.strictObject({
  description: text(255).default(''),
  scopes: z
    .array(z.enum(SCOPES, `must be one of ${SCOPES.join(', ')}`))
    .min(1, 'must name at least one scope')
    .max(SCOPES.length),
  expiresInDays: z
    .number()
    .int('must be a whole number of days')
    .min(1, 'must be between 1 and 3,650 days')
    .max(3_650, 'must be between 1 and 3,650 days')
    .nullable()
    .optional()
    .describe('Null: no expiry. Absent: 90 days with the scope admin, otherwise null.'),
  memoryId: uuid
    .nullable()
    .default(null)
    .describe('Restricts the key to this memory. Null: all memories of the tenant.'),
  actorId: actorId.nullable().default(null).describe("Restricts the key to this actor's data. Null: all actors."),
});

export const rotateKeyBody = z
  .strictObject({
    overlapHours: z
      .number()
      .int()
      .min(0)
      .max(MAX_OVERLAP_HOURS)
      .default(24)
      .describe('How long the old key stays valid next to the new one.'),
  })
  .prefault({});

export const keyView = z
  .object({
    id: z.string(),
    tenantId: z.uuid(),
    prefix: z.string().describe('The first characters of the key, to tell keys apart.'),
    description: z.string(),
    scopes: z.array(z.string()),
    memoryId: z.uuid().nullable().describe('The memory that it is restricted to; null: all memories.'),
    actorId: z.string().nullable().describe('The actor whose data it is restricted to; null: all actors.'),
    createdAt: stamp,
    expiresAt: stamp.nullable(),
    revokedAt: stamp.nullable(),
    lastUsedAt: stamp.nullable().describe('Accurate to about a minute. Null: never used.'),
    replacedBy: z.string().nullable(),
  })
  .meta({ id: 'ApiKey' });

export const madeKeyView = keyView
  .extend({ apiKey: z.string().describe('Shown only once.') })
  .meta({ id: 'MadeApiKey' });
