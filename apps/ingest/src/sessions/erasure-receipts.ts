import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { ActorErasure, Clock } from '@turnkeeper/application';
import { sumOfOutcomes } from '@turnkeeper/domain';
import { sha256Hex } from '@turnkeeper/platform';
import { calculateJwkThumbprint, CompactSign } from 'jose';

/** The subject of the receipt. */
export interface ErasureSubject {
  readonly tenantId: string;
  /** Null: every memory of the tenant. */
  readonly memoryId: string | null;
  /** Null: everything of the tenant. */
  readonly actorId: string | null;
  /** Null: everything of the actor. */
  readonly sessionId: string | null;
}

/** Something that an erasure did not remove. */
export interface Remainder {
  readonly what: string;
  readonly why: string;
  /** ISO 8601; null if unknown. */
  readonly until: string | null;
}

/** DER prefix of a 32-byte Ed25519 seed (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const DAY_MS = 86_400_000;

interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string };
  readonly kid: string;
}

/**
 * Creates erasure receipts: what was deleted per store, what remains and why, signed with the installation's key. The
 * subject is a digest, so that a receipt can be kept after the subject is erased.
 */
export class ErasureReceipts {
  private keys: Promise<KeyPair> | null = null;

  /** @param backupDays retention of backups, as configured; null if unknown */
  constructor(
    private readonly key: () => Promise<string>,
    private readonly clock: Clock,
    private readonly backupDays: number | null,
  ) {}

  /**
   * @param memories number of memories with an outcome; default: one for each outcome
   * @param remains what else remains
   */
  async receiptOf(
    subject: ErasureSubject,
    { outcomes, keys }: ActorErasure,
    { memories = outcomes.length, remains = [] }: { memories?: number; remains?: readonly Remainder[] } = {},
  ) {
    const at = this.clock.now();
    const { erased, left } = sumOfOutcomes(outcomes);
    const until = this.backupDays === null ? null : new Date(at.getTime() + this.backupDays * DAY_MS).toISOString();
    const receipt = {
      erasedAt: at.toISOString(),
      subjectDigest: digestOf(subject),
      memories,
      erased: { ...erased, apiKeys: keys.erased },
      remains: [
        ...remains,
        ...(left.withOtherSources > 0
          ? [
              {
                what: 'records',
                count: left.withOtherSources,
                why: 'They rest on what others said as well.',
                until: null,
              },
            ]
          : []),
        ...(left.inNamedNamespaces > 0
          ? [
              {
                what: 'records',
                count: left.inNamedNamespaces,
                namespaces: [...left.namespaces],
                until: null,
                why: 'Filed by hand in namespaces that are named after the actor. Delete them by their ids if they are about the actor.',
              },
            ]
          : []),
        ...(keys.left > 0
          ? [
              {
                what: 'API keys',
                count: keys.left,
                until: null,
                why: 'They are restricted to the actor in every memory of the tenant. They are deleted when the actor is erased in every memory.',
              },
            ]
          : []),
        {
          what: 'tombstones',
          until: null,
          why: 'Place, time and reason of each erased event, without content: they keep sequence numbers from being given out again.',
        },
        {
          what: 'database files and write-ahead log',
          until: null,
          why: 'Deleted rows stay in the data files until vacuum and in the write-ahead log until Postgres recycles it; nothing reads them.',
        },
        {
          what: 'backups',
          until,
          why: 'Backups and archived write-ahead logs are outside of this installation. Erase again after restoring one.',
        },
      ],
    };
    const { privateKey, publicKey, kid } = await this.signingKeys();
    const jws = await new CompactSign(new TextEncoder().encode(JSON.stringify(receipt)))
      .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'turnkeeper-erasure-receipt+jws' })
      .sign(privateKey);
    return { receipt, signature: { jws, publicKey } };
  }

  /** The keys that verify receipts, as a JWK set. */
  async publicKeys() {
    const { publicKey, kid } = await this.signingKeys();
    return { keys: [{ ...publicKey, kid, alg: 'EdDSA', use: 'sig' }] };
  }

  private signingKeys(): Promise<KeyPair> {
    this.keys ??= this.key()
      .then(keyPairOf)
      .catch((error: unknown) => {
        this.keys = null;
        throw error;
      });
    return this.keys;
  }
}

const keyPairOf = async (text: string): Promise<KeyPair> => {
  const seed = createHash('sha256').update(text).digest();
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const publicKey = { kty: 'OKP', crv: 'Ed25519', x } as const;
  return { privateKey, publicKey, kid: await calculateJwkThumbprint(publicKey) };
};

/** Computable from the ids; the ids cannot be recovered from it. */
export const digestOf = ({ tenantId, memoryId, actorId, sessionId }: ErasureSubject): string =>
  `sha256:${sha256Hex(JSON.stringify([tenantId, memoryId, actorId, sessionId]))}`;
