/** A tenant's project on a voice platform. */
export interface VendorApp {
  readonly tenantId: string;
  readonly vendor: string;
  /** The platform's project id, as text. */
  readonly appId: string;
  /** Default memory for agents of this project that name none. */
  readonly memoryId: string;
  /** Signs requests; null if the platform does not sign. */
  readonly secret: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
}

export interface VendorAppStore {
  /**
   * Upserts. Rejects with `VendorAppTaken` if another tenant has this app with the same secret. Resolves to false and
   * stores nothing if the app is new and the tenant already has `most` connectors and vendor apps (default: unlimited).
   * Concurrent calls may exceed it by their number.
   */
  put(app: VendorApp, most?: number | null): Promise<boolean>;
  /** Oldest first. Secrets are returned as empty strings. */
  list(tenantId: string): Promise<readonly VendorApp[]>;
  find(tenantId: string, vendor: string, appId: string): Promise<VendorApp | null>;
  /** Resolves to false if there was none. */
  remove(tenantId: string, vendor: string, appId: string): Promise<boolean>;
  /**
   * Apps of all tenants with this id; the signature decides which of them sent a request. Apps whose secret cannot be
   * decrypted are omitted; rejects with `SecretUnreadable` if none remains.
   */
  candidates(vendor: string, appId: string): Promise<readonly VendorApp[]>;
  /**
   * Stores the signature of a request to this app. Resolves to false if it was used before: a signature does not cover
   * the body, so each is accepted once. It is deleted once it is too old to be accepted as fresh.
   */
  takeSignature(app: VendorApp, signature: string): Promise<boolean>;
}
