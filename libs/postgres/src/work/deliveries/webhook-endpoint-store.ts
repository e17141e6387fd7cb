import type { Transaction, WebhookEndpoint, WebhookEndpointStore } from '@turnkeeper/application';
import { In, type DataSource } from 'typeorm';
import { inTenant } from '../../connections/database.js';
import { serialize } from '../../connections/serialized.js';
import { managerOf } from '../../connections/unit-of-work.js';
import { WebhookEndpointEntity } from './webhook.entity.js';
import { openAll, placeOf, sealAll, withoutText } from '../../secrets/places.js';
import type { SecretCipher } from '../../secrets/secret-cipher.js';
import { viewOf } from '../../connections/view.js';

const endpointOf = ({ timeouts: _, ...row }: WebhookEndpointEntity): WebhookEndpoint => viewOf(row);

const outlineOf = (row: WebhookEndpointEntity): WebhookEndpoint => {
  const endpoint = endpointOf(row);
  return { ...endpoint, secrets: withoutText(endpoint.secrets) };
};

const rowOf = (endpoint: WebhookEndpoint) => ({
  ...endpoint,
  events: endpoint.events === null ? null : [...endpoint.events],
  secrets: [...endpoint.secrets],
  createdAt: new Date(endpoint.createdAt),
});

export class PgWebhookEndpointStore implements WebhookEndpointStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly cipher: SecretCipher,
  ) {}

  async insert(endpoint: WebhookEndpoint, most = Number.POSITIVE_INFINITY): Promise<boolean> {
    const { tenantId } = endpoint;
    const sealed = await this.sealed(endpoint);
    return inTenant(this.dataSource, tenantId, (outside) =>
      outside.transaction(async (manager) => {
        await serialize(manager, 'endpoints', tenantId);
        if ((await manager.countBy(WebhookEndpointEntity, { tenantId })) >= most) return false;
        await manager.insert(WebhookEndpointEntity, rowOf(sealed));
        return true;
      }),
    );
  }

  async list(tenantId: string): Promise<readonly WebhookEndpoint[]> {
    const rows = await inTenant(this.dataSource, tenantId, (manager) =>
      manager.find(WebhookEndpointEntity, {
        where: { tenantId },
        order: { createdAt: 'ASC', endpointId: 'ASC' },
      }),
    );
    return rows.map(outlineOf);
  }

  async find(tenantId: string, endpointId: string): Promise<WebhookEndpoint | null> {
    const row = await inTenant(this.dataSource, tenantId, (manager) =>
      manager.findOneBy(WebhookEndpointEntity, { tenantId, endpointId }),
    );
    return row === null ? null : this.opened(row);
  }

  change(
    tenantId: string,
    endpointId: string,
    change: (endpoint: WebhookEndpoint) => WebhookEndpoint,
  ): Promise<WebhookEndpoint | null> {
    return inTenant(this.dataSource, tenantId, (outside) =>
      outside.transaction(async (manager) => {
        const row = await manager.findOne(WebhookEndpointEntity, {
          where: { tenantId, endpointId },
          lock: { mode: 'pessimistic_write' },
        });
        if (row === null) return null;
        const changed = change(await this.opened(row));
        await manager.update(WebhookEndpointEntity, { tenantId, endpointId }, rowOf(await this.sealed(changed)));
        return changed;
      }),
    );
  }

  async delete(tenantId: string, endpointId: string): Promise<boolean> {
    const { affected } = await inTenant(this.dataSource, tenantId, (manager) =>
      manager.delete(WebhookEndpointEntity, { tenantId, endpointId }),
    );
    return (affected ?? 0) > 0;
  }

  private async opened(row: WebhookEndpointEntity): Promise<WebhookEndpoint> {
    const endpoint = endpointOf(row);
    const { endpointId, secrets } = endpoint;
    return { ...endpoint, secrets: await openAll(this.cipher, placeOf.endpoint(endpointId), secrets) };
  }

  private async sealed(endpoint: WebhookEndpoint): Promise<WebhookEndpoint> {
    const { endpointId, secrets } = endpoint;
    return { ...endpoint, secrets: await sealAll(this.cipher, placeOf.endpoint(endpointId), secrets) };
  }

  async listening(tx: Transaction, tenantId: string): Promise<readonly WebhookEndpoint[]> {
    const rows = await managerOf(tx).findBy(WebhookEndpointEntity, { tenantId, status: In(['active', 'paused']) });
    return rows.map(outlineOf);
  }
}
