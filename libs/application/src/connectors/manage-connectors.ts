import type {
  ChangeConnectorBody,
  CreateConnectorBody,
  MapInstanceBody,
  RotateConnectorSecretBody,
} from '@turnkeeper/contracts';
import { ConnectorNotFound, newSecret, rotateSecrets } from '@turnkeeper/domain';
import { requireMemory } from '../memories/require-memory.js';
import type { Clock, Ids } from '../ports/clock.port.js';
import type { Connector, ConnectorStore } from '../ports/connector-store.port.js';
import type { MemoryStore } from '../ports/memory-store.port.js';

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
  async create(tenantId: string, body: CreateConnectorBody): Promise<Connector> {
    const { connectors, memories, ids, clock } = this.deps;
    await requireMemory(memories, tenantId, body.memoryId);
    const now = clock.now();
    const base = {
      connectorId: ids.next(),
      tenantId,
      memoryId: body.memoryId.toLowerCase(),
      description: body.description,
      secrets: [newSecret(body.secret, now)],
      createdAt: now.toISOString(),
    };
    const connector: Connector =
      body.vendor === 'agora'
        ? {
            ...base,
            vendor: 'agora',
            places: { actorLabel: body.actorLabel, sessionLabel: body.sessionLabel },
          }
        : {
            ...base,
            vendor: 'zegocloud',
            places: { actorTemplate: body.actorTemplate, sessionTemplate: body.sessionTemplate },
          };
    await connectors.insert(connector);
    return connector;
  }

  /** Rejects with `ConnectorNotFound`. */
  async update(tenantId: string, connectorId: string, body: ChangeConnectorBody): Promise<Connector> {
    const { description, actorLabel, sessionLabel, actorTemplate, sessionTemplate } = body;
    const changed = await this.deps.connectors.change(tenantId, connectorId, (connector) => {
      const next = { description: description ?? connector.description };
      if (connector.vendor === 'agora') {
        const { places } = connector;
        return {
          ...connector,
          ...next,
          places: { actorLabel: actorLabel ?? places.actorLabel, sessionLabel: sessionLabel ?? places.sessionLabel },
        };
      }
      const { places } = connector;
      return {
        ...connector,
        ...next,
        places: {
          actorTemplate: actorTemplate ?? places.actorTemplate,
          sessionTemplate: sessionTemplate ?? places.sessionTemplate,
        },
      };
    });
    if (changed === null) throw new ConnectorNotFound();
    return changed;
  }

  /** Both secrets are accepted until the overlap ends. Rejects with `ConnectorNotFound` or `TooManySecrets`. */
  async rotateSecret(tenantId: string, connectorId: string, body: RotateConnectorSecretBody): Promise<Connector> {
    const { connectors, clock } = this.deps;
    const { secret, overlapSeconds } = body;
    const changed = await connectors.change(tenantId, connectorId, (connector) => ({
      ...connector,
      secrets: rotateSecrets(connector.secrets, secret, { now: clock.now(), overlapSeconds }),
    }));
    if (changed === null) throw new ConnectorNotFound();
    return changed;
  }

  /** Rejects with `ConnectorNotFound`. */
  async mapInstance(tenantId: string, connectorId: string, body: MapInstanceBody): Promise<void> {
    const { connectors } = this.deps;
    await requireConnector(connectors, tenantId, connectorId);
    const { instanceId, actorId, sessionId } = body;
    await connectors.mapInstance(connectorId, instanceId, { actorId, sessionId });
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
