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
      memories: count.describe('Memories in which there was something.'),
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
          apiKeys: count.describe('Keys that were restricted to the actor. They stop working within seconds.'),
          graphThreads: count,
          graphItems: count,
        })
        .describe('What was deleted, by store.'),
      remains: z.array(
        z.object({
          what: z.string(),
          count: count.optional(),
          namespaces: z.array(z.string()).optional().describe('At most 100.'),
          why: z.string(),
          until: z.iso.datetime({ offset: true }).nullable().describe('Null: not known to this installation.'),
        }),
      ),
    }),
    signature: z.object({
      jws: z
        .string()
        .describe('Compact JWS (EdDSA) whose payload is the JSON text of the receipt; its `kid` names the key.'),
      publicKey: z
        .object({ kty: z.string(), crv: z.string(), x: z.string() })
        .describe('JWK (Ed25519). Check it against the keys of GET /v1/erasure-keys that you pinned.'),
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
    sessions: z.int().describe('Sessions of this actor.'),
    createdAt: stamp,
  })
  .meta({ id: 'Actor' });

export const actorDetailsView = actorView
  .extend({ lastEventAt: stamp.nullable().describe('Null when no event is left.') })
  .meta({ id: 'ActorDetails' });

/** A conversation thread of an actor, created by its first event. */
export const sessionView = z
  .object({ memoryId: z.uuid(), actorId: z.string(), sessionId: z.string(), status, createdAt: stamp })
  .meta({ id: 'Session' });

export const sessionDetailsView = sessionView
  .extend({
    events: z.int().describe('Messages and binary events that can be read.'),
    newestSequence: z.int().describe('The sequence to expect when appending; 0 before the first event.'),
    lastEventAt: stamp.nullable(),
  })
  .meta({ id: 'SessionDetails' });

/** A session in the listing by recency. */
export const recentSessionView = sessionView
  .omit({ status: true })
  .extend({
    lastEventAt: stamp.describe('When its newest event arrived.'),
    messages: z.int().describe('Messages that can be read. The newest ones may follow within seconds.'),
  })
  .meta({ id: 'RecentSession' });

/** Current contents of a memory; expired and deleted events are not counted. */
export const usageView = z
  .object({
    actors: z.int(),
    sessions: z.int(),
    messages: z.int(),
    binaryEvents: z.int(),
    records: z.int(),
    supersededRecords: z.int(),
  })
  .meta({ id: 'MemoryUsage' });
