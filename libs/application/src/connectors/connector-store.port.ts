import type { CallPlace, WebhookSecret } from '@turnkeeper/domain';

/** Where the callbacks of an instance belong, or belonged until another mapping replaced it. */
export interface InstanceMapping extends CallPlace {
  readonly instanceId: string;
  /** ISO 8601; null for the current mapping. */
  readonly replacedAt: string | null;
  /** Position in the list; decreases with age. */
  readonly nth: number;
}

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
  /**
   * Resolves to false and stores nothing if the tenant already has `most` connectors and vendor apps (default:
   * unlimited). Concurrent calls may exceed it by their number.
   */
  insert(connector: Connector, most?: number | null): Promise<boolean>;
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
  /**
   * Maps a call of the vendor, by its key, to an actor and a session. An earlier mapping is kept as replaced. Resolves to
   * false and changes nothing if there is no such connector, or if the tenant already has `most` mappings (default:
   * unlimited), unless this is one of them. Concurrent calls may exceed it by their number.
   */
  mapInstance(connectorId: string, instanceId: string, place: CallPlace, most?: number | null): Promise<boolean>;
  placeOfInstance(connectorId: string, instanceId: string): Promise<CallPlace | null>;
  /**
   * Mappings of an instance: the current one, then the replaced ones, newest first.
   *
   * @param below only positions below this one
   */
  mappingsOf(
    connectorId: string,
    instanceId: string,
    page: { readonly below: number | undefined; readonly limit: number },
  ): Promise<readonly InstanceMapping[]>;
}
