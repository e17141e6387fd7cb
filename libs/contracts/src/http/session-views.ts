import { z } from 'zod';

const count = z.int();
/** The result of an erasure, with proof. */
export const erasureReceiptView = z
  .object({
    receipt: z.object({
      erasedAt: z.iso.datetime({ offset: true }),
      subjectDigest: z
        .string()
        .describe(
          '`sha256:` and the hex SHA-256 of the JSON text `[tenantId, memoryId, actorId, sessionId]`; null for any.',
        ),
      memories: count.describe('Number of memories that contained data.'),
      erased: z
        .object({
          sessions: count,
          events: count,
          records: count,
          agents: count,
          extractionStates: count,
          rollingMemories: count,
          webhookDeliveries: count,
          vendorCallbacks: count,
          apiKeys: count.describe('Deleted keys that were restricted to the actor. They stop working within seconds.'),
          graphThreads: count,
          graphItems: count,
        })
        .describe('Number of deleted rows, by store.'),
      remains: z.array(
        z.object({
          what: z.string(),
          count: count.optional(),
          namespaces: z.array(z.string()).optional().describe('At most 100.'),
          why: z.string(),
          until: z.iso.datetime({ offset: true }).nullable().describe('Null: unknown to this installation.'),
        }),
      ),
    }),
    signature: z.object({
      jws: z
        .string()
        .describe('Compact JWS (EdDSA) whose payload is the JSON text of the receipt; its `kid` names the key.'),
      publicKey: z
        .object({ kty: z.string(), crv: z.string(), x: z.string() })
        .describe('JWK (Ed25519). Compare it with the pinned keys of GET /v1/erasure-keys.'),
    }),
  })
  .meta({ id: 'ErasureReceipt' });

/** A JWK set (RFC 7517). */
export const erasureKeysView = z
  .object({
    keys: z.array(
      z.object({
        kty: z.string(),
        crv: z.string(),
        x: z.string(),
        kid: z.string().describe('SHA-256 thumbprint (RFC 7638).'),
        alg: z.string(),
        use: z.string(),
      }),
    ),
  })
  .meta({ id: 'ErasureKeys' });

const stamp = z.iso.datetime({ offset: true });
const status = z.enum(['ACTIVE']);

/** An end user, created by the first event. */
export const actorView = z
  .object({
    memoryId: z.uuid(),
    actorId: z.string(),
    status,
    sessions: z.int().describe('Number of sessions.'),
    createdAt: stamp,
  })
  .meta({ id: 'Actor' });

export const actorDetailsView = actorView
  .extend({ lastEventAt: stamp.nullable().describe('Null if no event is left.') })
  .meta({ id: 'ActorDetails' });

/** A conversation thread of an actor, created by its first event. */
export const sessionView = z
  .object({ memoryId: z.uuid(), actorId: z.string(), sessionId: z.string(), status, createdAt: stamp })
  .meta({ id: 'Session' });

export const sessionDetailsView = sessionView
  .extend({
    events: z.int().describe('Number of readable messages and binary events.'),
    newestSequence: z.int().describe('Send it as `expectedSequence` of the next append; 0 before the first event.'),
    lastEventAt: stamp.nullable(),
  })
  .meta({ id: 'SessionDetails' });

/** A session in the listing by recency. */
export const recentSessionView = sessionView
  .omit({ status: true })
  .extend({
    lastEventAt: stamp.describe('When its newest event was recorded.'),
    messages: z.int().describe('Number of readable messages. The newest ones may be counted seconds later.'),
  })
  .meta({ id: 'RecentSession' });

/** What a model cost on one day. */
export const dayOfModel = z.object({
  day: z.iso.date(),
  calls: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
});

/** Current contents of a memory, and what its model cost; expired and deleted events are not counted. */
export const usageView = z
  .object({
    actors: z.int(),
    sessions: z.int(),
    messages: z.int(),
    binaryEvents: z.int(),
    records: z.int(),
    supersededRecords: z.int(),
    modelUsage: z
      .array(dayOfModel.extend({ strategyId: z.uuid() }))
      .describe('Calls and tokens of the model by day (UTC) and strategy in the last 31 days, newest first.'),
  })
  .meta({ id: 'MemoryUsage' });
