import { ConnectorNotFound, newSecret, rotateSecrets, type CallPlace } from '@turnkeeper/domain';
import { requireMemory } from '../memories/require-memory.js';
import type { Clock, Ids } from '../shared/clock.port.js';
import type { Connector, ConnectorStore } from './connector-store.port.js';
import type { MemoryStore } from '../memories/memory-store.port.js';

export type NewConnector = Pick<Connector, 'vendor' | 'memoryId' | 'description' | 'places'> & {
  readonly secret: string;
};

/** Creates and changes connectors. */
export class ManageConnectors {
  constructor(
    private readonly deps: {
      readonly connectors: ConnectorStore;
      readonly memories: MemoryStore;
      readonly ids: Ids;
      readonly clock: Clock;
    },
  ) {}

  /** Rejects with `MemoryNotFound`. */
  async create(tenantId: string, { secret, ...given }: NewConnector): Promise<Connector> {
    const { connectors, memories, ids, clock } = this.deps;
    await requireMemory(memories, tenantId, given.memoryId);
    const now = clock.now();
    const connector: Connector = {
      ...given,
      connectorId: ids.next(),
      tenantId,
      memoryId: given.memoryId.toLowerCase(),
      secrets: [newSecret(secret, now)],
      createdAt: now.toISOString(),
    };
    await connectors.insert(connector);
    return connector;
  }

  /** Absent values stay as they are, and `places` that the vendor does not know are ignored. Rejects with `ConnectorNotFound`. */
  async update(
    tenantId: string,
    connectorId: string,
    change: {
      readonly description?: string | undefined;
      readonly places: Readonly<Record<string, string | undefined>>;
    },
  ): Promise<Connector> {
    const changed = await this.deps.connectors.change(tenantId, connectorId, (connector) => ({
      ...connector,
      description: change.description ?? connector.description,
      places: Object.fromEntries(
        Object.entries(connector.places).map(([name, value]) => [name, change.places[name] ?? value]),
      ),
    }));
    if (changed === null) throw new ConnectorNotFound();
    return changed;
  }

  /** Both secrets are accepted until the overlap ends. Rejects with `ConnectorNotFound` or `TooManySecrets`. */
  async rotateSecret(
    tenantId: string,
    connectorId: string,
    { secret, overlapSeconds }: { readonly secret: string; readonly overlapSeconds: number },
  ): Promise<Connector> {
    const { connectors, clock } = this.deps;
    const changed = await connectors.change(tenantId, connectorId, (connector) => ({
      ...connector,
      secrets: rotateSecrets(connector.secrets, secret, { now: clock.now(), overlapSeconds }),
    }));
    if (changed === null) throw new ConnectorNotFound();
    return changed;
  }

  /** Rejects with `ConnectorNotFound`. */
  async mapInstance(
    tenantId: string,
    connectorId: string,
    { instanceId, ...place }: { readonly instanceId: string } & CallPlace,
  ): Promise<void> {
    const { connectors } = this.deps;
    await requireConnector(connectors, tenantId, connectorId);
    await connectors.mapInstance(connectorId, instanceId, place);
  }
}

export const requireConnector = async (
  connectors: ConnectorStore,
  tenantId: string,
  connectorId: string,
): Promise<Connector> => {
  const connector = await connectors.find(tenantId, connectorId);
  if (connector === null) throw new ConnectorNotFound();
  return connector;
};
