import { Controller, Inject } from '@nestjs/common';
import { requireConnector, type Connector } from '@turnkeeper/application';
import type { OutputOf } from '@turnkeeper/contracts';
import { validSecrets } from '@turnkeeper/domain';
import { connectorRoutes, VENDORS } from '@turnkeeper/vendors';
import { boundedListResponse, listResponse } from '../http/paging.js';
import { Input, Route, type CallOf } from '../http/route.js';
import { APP, type App } from '../composition.js';

type ConnectorAnswer = OutputOf<typeof connectorRoutes.getConnector>;

/** A tenant's connectors to voice vendors, and the state of their callbacks. */
@Controller()
export class ConnectorsController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(connectorRoutes.createConnector)
  async create(@Input() { tenantId, body }: CallOf<typeof connectorRoutes.createConnector>) {
    const { vendor, memoryId, description, secret, ...places } = body;
    return this.answer(
      await this.app.manageConnectors.create(tenantId, { vendor, memoryId, description, secret, places }),
    );
  }

  @Route(connectorRoutes.listConnectors)
  async list(@Input() { tenantId, query }: CallOf<typeof connectorRoutes.listConnectors>) {
    const rows = await this.app.connectors.list(tenantId);
    const keyOf = ({ createdAt, connectorId }: Connector): string => `${createdAt}_${connectorId}`;
    return boundedListResponse({ rows, query, keyOf, order: 'ascending', row: (connector) => this.answer(connector) });
  }

  @Route(connectorRoutes.getConnector)
  async get(@Input() { tenantId, path }: CallOf<typeof connectorRoutes.getConnector>) {
    return this.answer(await requireConnector(this.app.connectors, tenantId, path.connectorId));
  }

  @Route(connectorRoutes.changeConnector)
  async change(@Input() { tenantId, path, body }: CallOf<typeof connectorRoutes.changeConnector>) {
    const { description, ...places } = body;
    return this.answer(await this.app.manageConnectors.update(tenantId, path.connectorId, { description, places }));
  }

  @Route(connectorRoutes.deleteConnector)
  async delete(@Input() { tenantId, path }: CallOf<typeof connectorRoutes.deleteConnector>) {
    await this.app.connectors.delete(tenantId, path.connectorId);
  }

  @Route(connectorRoutes.rotateConnectorSecret)
  async rotateSecret(@Input() { tenantId, path, body }: CallOf<typeof connectorRoutes.rotateConnectorSecret>) {
    return this.answer(await this.app.manageConnectors.rotateSecret(tenantId, path.connectorId, body));
  }

  @Route(connectorRoutes.mapConnectorInstance)
  async mapInstance(@Input() { tenantId, path, body }: CallOf<typeof connectorRoutes.mapConnectorInstance>) {
    await this.app.manageConnectors.mapInstance(tenantId, path.connectorId, body);
  }

  @Route(connectorRoutes.listInstanceMappings)
  async listMappings(@Input() { tenantId, path, query }: CallOf<typeof connectorRoutes.listInstanceMappings>) {
    const { connectorId } = await requireConnector(this.app.connectors, tenantId, path.connectorId);
    const { instanceId, limit, after: below } = query;
    const found = await this.app.connectors.mappingsOf(connectorId, instanceId, { below, limit: limit + 1 });
    return listResponse(
      found,
      limit,
      ({ nth: _, ...mapping }) => mapping,
      ({ nth }) => String(nth),
    );
  }

  @Route(connectorRoutes.listConnectorNotices)
  async listNotices(@Input() { tenantId, path, query }: CallOf<typeof connectorRoutes.listConnectorNotices>) {
    const { connectorId } = await requireConnector(this.app.connectors, tenantId, path.connectorId);
    const { status, limit, after } = query;
    const found = await this.app.notices.list(tenantId, connectorId, { status }, { limit: limit + 1, after });
    const cursorOf = ({ receivedAt, noticeKey }: (typeof found)[number]): string => `${receivedAt}_${noticeKey}`;
    return listResponse(found, limit, (notice) => notice, cursorOf);
  }

  @Route(connectorRoutes.retryConnectorNotices)
  async retryNotices(@Input() { tenantId, path }: CallOf<typeof connectorRoutes.retryConnectorNotices>) {
    const { connectorId } = await requireConnector(this.app.connectors, tenantId, path.connectorId);
    return { retried: await this.app.notices.retryParked(tenantId, connectorId) };
  }

  /** Without its secrets. */
  private answer({ connectorId, tenantId: _, secrets, places, ...connector }: Connector): ConnectorAnswer {
    const callback = VENDORS.find(({ name }) => name === connector.vendor)?.connector?.callback.path ?? '';
    return {
      id: connectorId,
      ...connector,
      places: { ...places },
      callbackUrl: `${this.app.publicUrl}${callback.replace('{connectorId}', connectorId)}`,
      secrets: validSecrets(secrets, this.app.clock.now()).map(({ createdAt, expiresAt }) => ({
        createdAt,
        expiresAt,
      })),
    };
  }
}
