import type { AgoraPlaces, CallPlace, WebhookSecret, ZegoPlaces } from '@turnkeeper/domain';

interface ConnectorBase {
  readonly connectorId: string;
  readonly tenantId: string;
  /** Where the conversations go. */
  readonly memoryId: string;
  readonly description: string;
  /** The vendor signs with one of those that are valid; newest first. */
  readonly secrets: readonly WebhookSecret[];
  readonly createdAt: string;
}

/** Takes one vendor's callbacks for one memory. */
export type Connector =
  | (ConnectorBase & { readonly vendor: 'agora'; readonly places: AgoraPlaces })
  | (ConnectorBase & { readonly vendor: 'zegocloud'; readonly places: ZegoPlaces });
export type ConnectorVendor = Connector['vendor'];

export interface ConnectorStore {
  insert(connector: Connector): Promise<void>;
  /** Oldest first, without the text of their secrets. */
  list(tenantId: string): Promise<readonly Connector[]>;
  /** Rejects with `SecretUnreadable` where its secrets cannot be opened; so do `findByPath` and `change`. */
  find(tenantId: string, connectorId: string): Promise<Connector | null>;
  /** For callers whom the vendor's signature has to make known. */
  findByPath(vendor: ConnectorVendor, connectorId: string): Promise<Connector | null>;
  /** Locks the row, stores the result of `change`; null when there is none. */
  change(tenantId: string, connectorId: string, change: (connector: Connector) => Connector): Promise<Connector | null>;
  /** Deletes it with its notices. What they made stays. */
  delete(tenantId: string, connectorId: string): Promise<boolean>;
  /** Says whose call an instance of ZEGOCLOUD's is. Replaces what was said before. */
  mapInstance(connectorId: string, instanceId: string, place: CallPlace): Promise<void>;
  placeOfInstance(connectorId: string, instanceId: string): Promise<CallPlace | null>;
}
