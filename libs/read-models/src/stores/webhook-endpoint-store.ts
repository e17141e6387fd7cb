import type { Transaction, WebhookEndpoint, WebhookEndpointStore } from '@turnkeeper/application';
import { In, type DataSource } from 'typeorm';
import { inTenant } from '../database.js';
import { managerOf } from '../unit-of-work.js';
import { WebhookEndpointEntity } from '../entities/webhook.entity.js';

const endpointOf = ({ timeouts: _, ...row }: WebhookEndpointEntity): WebhookEndpoint => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
});

const rowOf = (endpoint: WebhookEndpoint) => ({
  ...endpoint,
  events: endpoint.events === null ? null : [...endpoint.events],
  secrets: [...endpoint.secrets],
  createdAt: new Date(endpoint.createdAt),
});

export class PgWebhookEndpointStore implements WebhookEndpointStore {
  constructor(private readonly dataSource: DataSource) {}

  async insert(endpoint: WebhookEndpoint): Promise<void> {
    await inTenant(this.dataSource, endpoint.tenantId, (manager) =>
      manager.insert(WebhookEndpointEntity, rowOf(endpoint)),
    );
  }

  async list(tenantId: string): Promise<readonly WebhookEndpoint[]> {
    const rows = await inTenant(this.dataSource, tenantId, (manager) =>
      manager.find(WebhookEndpointEntity, {
        where: { tenantId },
        order: { createdAt: 'ASC', endpointId: 'ASC' },
      }),
    );
    return rows.map(endpointOf);
  }

  async find(tenantId: string, endpointId: string): Promise<WebhookEndpoint | null> {
    const row = await inTenant(this.dataSource, tenantId, (manager) =>
      manager.findOneBy(WebhookEndpointEntity, { tenantId, endpointId }),
    );
    return row === null ? null : endpointOf(row);
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
        const changed = change(endpointOf(row));
        await manager.update(WebhookEndpointEntity, { tenantId, endpointId }, rowOf(changed));
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

  async listening(tx: Transaction, tenantId: string): Promise<readonly WebhookEndpoint[]> {
    const rows = await managerOf(tx).findBy(WebhookEndpointEntity, { tenantId, status: In(['active', 'paused']) });
    return rows.map(endpointOf);
  }
}
