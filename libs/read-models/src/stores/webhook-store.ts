import type {
  AttemptView,
  DeliveryClaim,
  DeliveryView,
  NewDelivery,
  Transaction,
  WebhookEndpoint,
  WebhookStore,
} from '@turnkeeper/application';
import type { AttemptOutcome, AttemptVerdict, Delivery, WebhookEvent } from '@turnkeeper/domain';
import type { DataSource } from 'typeorm';
import { managerOf, rowsOf } from '../database.js';
import { WebhookEndpointEntity } from '../entities/webhook.entity.js';
import { endpointOf } from './webhook-endpoints.js';

interface DeliveryRow {
  delivery_id: string;
  tenant_id: string;
  endpoint_id: string;
  event_type: WebhookEvent;
  cause_event_id: string;
  agent_id: string;
  message_id: string;
  body: Buffer | null;
  status: Delivery['status'];
  attempts: number;
  round: number;
  due_at: Date | null;
  last_reason: Delivery['lastReason'];
  park_reason: Delivery['parkReason'];
  fence: string;
  created_at: Date;
}

const deliveryOf = (row: DeliveryRow): Delivery => ({
  status: row.status,
  attempts: row.attempts,
  round: row.round,
  dueAt: row.due_at?.toISOString() ?? null,
  lastReason: row.last_reason,
  parkReason: row.park_reason,
});

export class PgWebhookStore implements WebhookStore {
  constructor(private readonly dataSource: DataSource) {}

  async insertEndpoint(endpoint: WebhookEndpoint): Promise<void> {
    await this.dataSource.manager.insert(WebhookEndpointEntity, {
      ...endpoint,
      events: endpoint.events === null ? null : [...endpoint.events],
      secrets: [...endpoint.secrets],
      createdAt: new Date(endpoint.createdAt),
    });
  }

  async listEndpoints(tenantId: string): Promise<readonly WebhookEndpoint[]> {
    const rows = await this.dataSource.manager.find(WebhookEndpointEntity, {
      where: { tenantId },
      order: { createdAt: 'ASC' },
    });
    return rows.map(endpointOf);
  }

  async findEndpoint(tenantId: string, endpointId: string): Promise<WebhookEndpoint | null> {
    const row = await this.dataSource.manager.findOneBy(WebhookEndpointEntity, { tenantId, endpointId });
    return row === null ? null : endpointOf(row);
  }

  async deleteEndpoint(tenantId: string, endpointId: string): Promise<boolean> {
    const { affected } = await this.dataSource.manager.delete(WebhookEndpointEntity, { tenantId, endpointId });
    return (affected ?? 0) > 0;
  }

  async subscribers(tx: Transaction, tenantId: string): Promise<readonly WebhookEndpoint[]> {
    const rows = await managerOf(tx).findBy(WebhookEndpointEntity, { tenantId, status: 'active' });
    return rows.map(endpointOf);
  }

  async insertDeliveries(tx: Transaction, deliveries: readonly NewDelivery[]): Promise<void> {
    for (const delivery of deliveries) {
      await rowsOf(
        managerOf(tx),
        `insert into webhook_deliveries
           (delivery_id, tenant_id, endpoint_id, event_type, cause_event_id, agent_id, message_id, due_at)
         values ($1, $2, $3, $4, $5, $6, $7, now()) on conflict do nothing`,
        [
          delivery.deliveryId,
          delivery.tenantId,
          delivery.endpointId,
          delivery.eventType,
          delivery.causeEventId,
          delivery.agentId,
          delivery.messageId,
        ],
      );
    }
  }

  async claim(deliveryId: string, leaseSeconds: number): Promise<DeliveryClaim | null> {
    const rows = await rowsOf<DeliveryRow>(
      this.dataSource,
      `update webhook_deliveries d
          set fence = d.fence + 1, lease_until = now() + make_interval(secs => $2)
         from webhook_endpoints e
        where d.delivery_id = $1 and d.status = 'pending' and d.due_at <= now()
          and (d.lease_until is null or d.lease_until < now())
          and e.endpoint_id = d.endpoint_id and e.status = 'active'
       returning d.*`,
      [deliveryId, leaseSeconds],
    );
    const [row] = rows;
    if (row === undefined) return null;
    const endpoint = await this.findEndpoint(row.tenant_id, row.endpoint_id);
    if (endpoint === null) return null;
    return {
      deliveryId: row.delivery_id,
      tenantId: row.tenant_id,
      endpointId: row.endpoint_id,
      eventType: row.event_type,
      causeEventId: row.cause_event_id,
      agentId: row.agent_id,
      messageId: row.message_id,
      endpoint,
      delivery: deliveryOf(row),
      body: row.body,
      fence: Number(row.fence),
    };
  }

  async freezeBody(deliveryId: string, body: Uint8Array): Promise<Uint8Array> {
    const rows = await rowsOf<{ body: Buffer }>(
      this.dataSource,
      `update webhook_deliveries set body = coalesce(body, $2) where delivery_id = $1 returning body`,
      [deliveryId, Buffer.from(body)],
    );
    return rows[0]?.body ?? body;
  }

  async finishAttempt(claim: DeliveryClaim, outcome: AttemptOutcome, verdict: AttemptVerdict): Promise<void> {
    const { delivery, counted, disableEndpoint, reason } = verdict;
    await this.dataSource.transaction(async (manager) => {
      const held = await rowsOf(
        manager,
        `update webhook_deliveries
            set status = $3, attempts = $4, due_at = $5, last_reason = $6, park_reason = $7, lease_until = null
          where delivery_id = $1 and fence = $2 returning delivery_id`,
        [
          claim.deliveryId,
          claim.fence,
          delivery.status,
          delivery.attempts,
          delivery.dueAt,
          delivery.lastReason,
          delivery.parkReason,
        ],
      );
      if (held.length === 0) return;
      if (counted) {
        await rowsOf(
          manager,
          `insert into webhook_attempts (delivery_id, attempt, reason, status, duration_ms, detail)
           select $1, coalesce(max(attempt), 0) + 1, $2, $3, $4, $5 from webhook_attempts where delivery_id = $1`,
          [
            claim.deliveryId,
            reason,
            outcome.kind === 'response' ? outcome.status : null,
            Math.round(outcome.durationMs),
            outcome.kind === 'failed' ? outcome.message : null,
          ],
        );
      }
      if (disableEndpoint) {
        await rowsOf(manager, `update webhook_endpoints set status = 'disabled' where endpoint_id = $1`, [
          claim.endpointId,
        ]);
      }
    });
  }

  async due(limit: number): Promise<readonly string[]> {
    const rows = await rowsOf<{ delivery_id: string }>(
      this.dataSource,
      `select d.delivery_id from webhook_deliveries d join webhook_endpoints e using (endpoint_id)
        where d.due_at <= now() and d.status = 'pending' and e.status = 'active'
          and (d.lease_until is null or d.lease_until < now())
        order by d.due_at limit $1`,
      [limit],
    );
    return rows.map((row) => row.delivery_id);
  }

  async listDeliveries(tenantId: string, endpointId: string, limit: number): Promise<readonly DeliveryView[]> {
    const rows = await rowsOf<DeliveryRow>(
      this.dataSource,
      `select * from webhook_deliveries where tenant_id = $1 and endpoint_id = $2
        order by created_at desc, delivery_id limit $3`,
      [tenantId, endpointId, limit],
    );
    return rows.map((row) => ({
      deliveryId: row.delivery_id,
      endpointId: row.endpoint_id,
      messageId: row.message_id,
      eventType: row.event_type,
      agentId: row.agent_id,
      delivery: deliveryOf(row),
      createdAt: row.created_at.toISOString(),
    }));
  }

  async listAttempts(tenantId: string, deliveryId: string): Promise<readonly AttemptView[]> {
    const rows = await rowsOf<{
      attempt: number;
      at: Date;
      reason: string;
      status: number | null;
      duration_ms: number;
      detail: string | null;
    }>(
      this.dataSource,
      `select a.* from webhook_attempts a join webhook_deliveries d using (delivery_id)
        where d.tenant_id = $1 and a.delivery_id = $2 order by a.attempt`,
      [tenantId, deliveryId],
    );
    return rows.map((row) => ({
      attempt: row.attempt,
      at: row.at.toISOString(),
      reason: row.reason,
      status: row.status,
      durationMs: row.duration_ms,
      detail: row.detail,
    }));
  }
}
