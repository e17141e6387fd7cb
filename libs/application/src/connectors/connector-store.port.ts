import type { CallPlace, WebhookSecret } from '@turnkeeper/domain';

/** Receives one vendor's callbacks for one memory. */
export interface Connector {
  readonly connectorId: string;
  readonly tenantId: string;
  /** Memory that the conversations are written to. */
  readonly memoryId: string;
  readonly vendor: string;
  readonly description: string;
  /** How the vendor's calls map to an actor and a session. The vendor defines the names. */
  readonly places: Readonly<Record<string, string>>;
  /** Newest first. The vendor may sign with any secret that is still valid. */
  readonly secrets: readonly WebhookSecret[];
  readonly createdAt: string;
}

export interface ConnectorStore {
  insert(connector: Connector): Promise<void>;
  /** Oldest first. Secrets are returned without their text. */
  list(tenantId: string): Promise<readonly Connector[]>;
  /** Rejects with `SecretUnreadable` if a secret cannot be decrypted; so do `findByPath` and `change`. */
  find(tenantId: string, connectorId: string): Promise<Connector | null>;
  /** For unauthenticated callers, who are then verified by the vendor's signature. */
  findByPath(vendor: string, connectorId: string): Promise<Connector | null>;
  /** Locks the row and stores the result of `change`. Returns null if there is no such connector. */
  change(tenantId: string, connectorId: string, change: (connector: Connector) => Connector): Promise<Connector | null>;
  /** Deletes the connector and its notices. Events created from them remain. */
  delete(tenantId: string, connectorId: string): Promise<boolean>;
  /** Maps a call of the vendor, by its key, to an actor and a session. Replaces an earlier mapping. */
  mapInstance(connectorId: string, instanceId: string, place: CallPlace): Promise<void>;
  placeOfInstance(connectorId: string, instanceId: string): Promise<CallPlace | null>;
}
