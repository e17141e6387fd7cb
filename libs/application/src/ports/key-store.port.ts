export interface ApiKey {
  readonly keyId: string;
  readonly tenantId: string;
  readonly description: string;
  /** SHA-256 of the secret part. */
  readonly secretHash: Uint8Array;
  readonly scopes: readonly string[];
  /** ISO 8601; null for never. */
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

export interface KeyStore {
  /** The tenant of this name, made when it is not there yet. */
  ensureTenant(tenantId: string, name: string): Promise<string>;
  insert(key: ApiKey): Promise<void>;
  find(keyId: string): Promise<ApiKey | null>;
}
