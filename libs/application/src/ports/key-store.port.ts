export interface ApiKey {
  readonly keyId: string;
  readonly tenantId: string;
  readonly description: string;
  /** SHA-256 of the secret part. */
  readonly secretHash: Uint8Array;
  readonly scopes: readonly string[];
  /** The one memory that the key reaches; null for all of the tenant. */
  readonly memoryId: string | null;
  /** The one actor whose data the key reaches; null for all. */
  readonly actorId: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601; null for never. */
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** To the minute or so; null for never. */
  readonly lastUsedAt: string | null;
  /** The key that took its place; null where none did. */
  readonly replacedBy: string | null;
}

export interface KeyStore {
  /** False, and nothing is added, when the tenant has as many valid keys as `most`. */
  insert(key: ApiKey, most?: number): Promise<boolean>;
  /** Of any tenant: asked before the tenant is known. */
  find(keyId: string): Promise<ApiKey | null>;
  /** Newest first. */
  list(tenantId: string): Promise<readonly ApiKey[]>;
  /** Notes that the keys were used now; nothing is written for one whose use was noted in the last minute. */
  touch(keyIds: readonly string[]): Promise<void>;
  /** Revokes a key, or changes nothing when it is revoked. False when the tenant has no such key. */
  revoke(tenantId: string, keyId: string, at: string): Promise<boolean>;
  /** Adds a key in the place of another one, which ends at the given time, in one transaction. */
  replace(old: ApiKey, endsAt: string, replacement: ApiKey): Promise<void>;
}
