export interface ApiKey {
  readonly keyId: string;
  readonly tenantId: string;
  readonly description: string;
  /** SHA-256 of the secret part. */
  readonly secretHash: Uint8Array;
  readonly scopes: readonly string[];
  /** Restricts the key to one memory; null for all memories of the tenant. */
  readonly memoryId: string | null;
  /** Restricts the key to one actor's data; null for all. */
  readonly actorId: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601; null for never. */
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** Accurate to about a minute; null if never used. */
  readonly lastUsedAt: string | null;
  /** The key that replaced this one; null if none did. */
  readonly replacedBy: string | null;
}

/** Keys that are restricted to an actor. */
export interface ErasedKeys {
  readonly erased: number;
  /** They also reach the actor's data in other memories. */
  readonly left: number;
}

export interface KeyStore {
  /** Resolves to false and adds nothing if the tenant already has `most` valid keys. */
  insert(key: ApiKey, most?: number): Promise<boolean>;
  /** Across tenants: called before the tenant is known. */
  find(keyId: string): Promise<ApiKey | null>;
  /** Like `find`, for many keys in one statement. Those that do not exist are left out. */
  findAll(keyIds: readonly string[]): Promise<readonly ApiKey[]>;
  /** Newest first. */
  list(tenantId: string): Promise<readonly ApiKey[]>;
  /** Sets the keys' last use to now. Skips keys whose last use was within the last minute. */
  touch(keyIds: readonly string[]): Promise<void>;
  /** Revokes a key; a no-op if it is already revoked. Resolves to false if the tenant has no such key. */
  revoke(tenantId: string, keyId: string, at: string): Promise<boolean>;
  /** Adds the replacement and sets the old key to expire at `endsAt`, in one transaction. */
  replace(old: ApiKey, endsAt: string, replacement: ApiKey): Promise<void>;
  /**
   * Deletes the keys that are restricted to the actor, valid or not: in one memory, those of that memory; with null,
   * all of them.
   */
  eraseOfActor(tenantId: string, actorId: string, memoryId: string | null): Promise<ErasedKeys>;
}
