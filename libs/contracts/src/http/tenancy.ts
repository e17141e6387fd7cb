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
  .describe("Over all ingest processes; null: the installation's own limit.");

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
    .describe(`${about} Null: the installation's own limit.`);

/** A tenant's own limits, other than requests per second. */
const ownLimits = z
  .strictObject({
    bytesPerSecond: own('Bytes of request bodies per second, over all ingest processes.', 1_024),
    requestsInFlight: own('Requests that one ingest process serves at the same time.', 1),
    memories: own('Memories.', 0),
    keys: own('Valid API keys.', 0),
    webhookEndpoints: own('Webhook endpoints; a stop makes at most two deliveries for each.', 0),
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
  .describe('What is absent stays.');

export const tenantView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    requestsPerSecond: z.int().nullable(),
    limits: z.record(z.string(), z.int()).describe("The tenant's own limits; the installation's are left out."),
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
    .describe('Null: it does not expire. Absent: 90 days with the scope admin, otherwise null.'),
  memoryId: uuid.nullable().default(null).describe('The one memory that the key reaches.'),
  actorId: actorId.nullable().default(null).describe('The one actor whose data the key reaches.'),
});

export const rotateKeyBody = z
  .strictObject({
    overlapHours: z
      .number()
      .int()
      .min(0)
      .max(MAX_OVERLAP_HOURS)
      .default(24)
      .describe('How long the old key goes on beside the new one.'),
  })
  .prefault({});

export const keyView = z
  .object({
    id: z.string(),
    tenantId: z.uuid(),
    prefix: z.string().describe('How the key begins, to tell keys apart.'),
    description: z.string(),
    scopes: z.array(z.string()),
    memoryId: z.uuid().nullable().describe('The one memory that it reaches; null for all.'),
    actorId: z.string().nullable().describe('The one actor whose data it reaches; null for all.'),
    createdAt: stamp,
    expiresAt: stamp.nullable(),
    revokedAt: stamp.nullable(),
    lastUsedAt: stamp.nullable().describe('To the minute or so.'),
    replacedBy: z.string().nullable(),
  })
  .meta({ id: 'ApiKey' });

export const madeKeyView = keyView
  .extend({ apiKey: z.string().describe('Shown this once.') })
  .meta({ id: 'MadeApiKey' });
