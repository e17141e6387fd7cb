import {
  defaultKeyDays,
  endOfOverlap,
  isKeyLive,
  KeyNotFound,
  KeyNotLive,
  RestrictedAdminKey,
  TenantNotFound,
  TooManyKeys,
} from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import type { ApiKey } from './key-store.port.js';
import type { MostOf } from './most-of.js';

/** A key without its secret's hash. */
export type KeyView = Omit<ApiKey, 'secretHash'>;

export interface MadeKey {
  readonly key: KeyView;
  /** Shown once; it cannot be recovered. */
  readonly token: string;
}

/** Generates a key: its id, the token for the client and the hash to store. */
export type DrawKey = () => { readonly keyId: string; readonly token: string; readonly secretHash: Uint8Array };

export interface NewKey {
  readonly description: string;
  readonly scopes: readonly string[];
  /** Days until expiry; null for no expiry. Default: 90 with the scope admin, else null. */
  readonly expiresInDays?: number | null | undefined;
  /** Restricts the key to one memory. Default: all. */
  readonly memoryId?: string | null;
  /** Restricts the key to one actor's data. Default: all. */
  readonly actorId?: string | null;
}

const DAY_MS = 86_400_000;

/** Creates, lists, rotates and revokes a tenant's API keys. For operators. */
export class ManageKeys {
  constructor(
    private readonly deps: Pick<Ports, 'keys' | 'tenants' | 'clock'> & {
      readonly drawKey: DrawKey;
      /** Returns the tenant's current limit of valid keys. Null or absent for unlimited. */
      readonly mostKeys?: MostOf;
    },
  ) {}

  /** Rejects with `TenantNotFound`, `RestrictedAdminKey` or `TooManyKeys`. */
  async create(tenantId: string, newKey: NewKey): Promise<MadeKey> {
    const { keys, clock } = this.deps;
    const { description, scopes, memoryId = null, actorId = null } = newKey;
    if (scopes.includes('admin') && (memoryId !== null || actorId !== null)) throw new RestrictedAdminKey();
    const expiresInDays = newKey.expiresInDays === undefined ? defaultKeyDays(scopes) : newKey.expiresInDays;
    await this.requireTenant(tenantId);
    const now = clock.now();
    const expiresAt = expiresInDays === null ? null : new Date(now.getTime() + expiresInDays * DAY_MS).toISOString();
    const made = this.draw({
      tenantId,
      description,
      scopes,
      memoryId,
      actorId,
      expiresAt,
      createdAt: now.toISOString(),
    });
    const most = (await this.deps.mostKeys?.(tenantId)) ?? Number.POSITIVE_INFINITY;
    if (!(await keys.insert(made.key, most))) throw new TooManyKeys(most);
    return { key: viewOf(made.key), token: made.token };
  }

  async list(tenantId: string): Promise<readonly KeyView[]> {
    await this.requireTenant(tenantId);
    return (await this.deps.keys.list(tenantId)).map(viewOf);
  }

  /**
   * Creates a new key with the same scopes. The old key stays valid for the overlap, so that clients can switch without
   * downtime.
   */
  async rotate(tenantId: string, keyId: string, overlapHours: number): Promise<MadeKey> {
    const { keys, clock } = this.deps;
    const old = await keys.find(keyId);
    if (old === null || old.tenantId !== tenantId) throw new KeyNotFound();
    const now = clock.now();
    if (!isKeyLive(old, now)) throw new KeyNotLive();
    const { description, scopes, memoryId, actorId, expiresAt } = old;
    // The new key has the same lifetime as the old one, e.g. 90 days.
    const life = expiresAt === null ? null : Date.parse(expiresAt) - Date.parse(old.createdAt);
    const made = this.draw({
      tenantId,
      description,
      scopes,
      memoryId,
      actorId,
      expiresAt: life === null ? null : new Date(now.getTime() + life).toISOString(),
      createdAt: now.toISOString(),
    });
    await keys.replace(old, endOfOverlap(old, now, overlapHours), made.key);
    return { key: viewOf(made.key), token: made.token };
  }

  async revoke(tenantId: string, keyId: string): Promise<void> {
    const { keys, clock } = this.deps;
    if (!(await keys.revoke(tenantId, keyId, clock.now().toISOString()))) throw new KeyNotFound();
  }

  private draw(
    key: Pick<ApiKey, 'tenantId' | 'description' | 'scopes' | 'memoryId' | 'actorId' | 'expiresAt' | 'createdAt'>,
  ) {
    const { keyId, token, secretHash } = this.deps.drawKey();
    return { token, key: { ...key, keyId, secretHash, revokedAt: null, lastUsedAt: null, replacedBy: null } };
  }

  private async requireTenant(tenantId: string): Promise<void> {
    if ((await this.deps.tenants.find(tenantId)) === null) throw new TenantNotFound();
  }
}

const viewOf = ({ secretHash: _, ...view }: ApiKey): KeyView => view;
