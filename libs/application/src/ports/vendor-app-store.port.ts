/** Voice platforms whose server API we speak. */
export const VENDORS = ['agora', 'zegocloud'] as const;
export type Vendor = (typeof VENDORS)[number];

/** A project at a voice platform that a tenant has told us about. */
export interface VendorApp {
  readonly tenantId: string;
  readonly vendor: Vendor;
  /** The platform's id of the project, as text. */
  readonly appId: string;
  /** Where agents of this project go that name no memory themselves. */
  readonly memoryId: string;
  /** What requests are signed with (ZEGOCLOUD's ServerSecret); null where the platform signs none. */
  readonly secret: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
}

export interface VendorAppStore {
  /** Adds or replaces. Rejects with `VendorAppTaken` when another tenant has this app with the same secret. */
  put(app: VendorApp): Promise<void>;
  /** Oldest first, without the text of their secrets: an empty one stands for each. */
  list(tenantId: string): Promise<readonly VendorApp[]>;
  find(tenantId: string, vendor: Vendor, appId: string): Promise<VendorApp | null>;
  /** False when there was none. */
  remove(tenantId: string, vendor: Vendor, appId: string): Promise<boolean>;
  /** Every tenant's app of this id: which of them sent a request is told by its signature. Those whose secrets cannot be opened
   * are left out; rejects with `SecretUnreadable` when that leaves none. */
  candidates(vendor: Vendor, appId: string): Promise<readonly VendorApp[]>;
  /**
   * Notes a signature of a request to this app. False when it came before: a signature does not cover the body, so it is
   * good for one request. It is forgotten once no clock would take it for fresh.
   */
  takeSignature(app: VendorApp, signature: string): Promise<boolean>;
}
