import {
  ConnectorNotFound,
  newSecret,
  rotateSecrets,
  TooManyConnectors,
  TooManyMappings,
  type CallPlace,
} from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { requireMemory } from '../memories/require-memory.js';
import type { Connector, ConnectorStore } from './connector-store.port.js';
import type { MostOf } from '../tenancy/most-of.js';

export type NewConnector = Pick<Connector, 'vendor' | 'memoryId' | 'description' | 'places'> & {
  readonly secret: string;
};

/** Creates and changes connectors. */
export class ManageConnectors {
  constructor(
    private readonly deps: Pick<Ports, 'connectors' | 'memories' | 'ids' | 'clock'> & {
      readonly mostConnectors: MostOf;
      readonly mostMappings: MostOf;
    },
  ) {}

  /** Rejects with `MemoryNotFound` or `TooManyConnectors`. */
  async create(tenantId: string, { secret, ...given }: NewConnector): Promise<Connector> {
    const { connectors, memories, ids, clock, mostConnectors } = this.deps;
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
    const most = await mostConnectors(tenantId);
    if (!(await connectors.insert(connector, most))) throw new TooManyConnectors(most ?? 0);
    return connector;
  }

  /** Absent fields are unchanged; `places` unknown to the vendor are ignored. Rejects with `ConnectorNotFound`. */
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

  /** Rejects with `ConnectorNotFound` or `TooManyMappings`. */
  async mapInstance(
    tenantId: string,
    connectorId: string,
    { instanceId, ...place }: { readonly instanceId: string } & CallPlace,
  ): Promise<void> {
    const { connectors, mostMappings } = this.deps;
    await requireConnector(connectors, tenantId, connectorId);
    const most = await mostMappings(tenantId);
    if (await connectors.mapInstance(connectorId, instanceId, place, most)) return;
    // It may have been deleted meanwhile.
    await requireConnector(connectors, tenantId, connectorId);
    throw new TooManyMappings(most ?? 0);
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
