import { Controller, Inject } from '@nestjs/common';
import { requireEndpoint } from '@turnkeeper/application';
import { DELIVERY_BODY_BYTES, routes } from '@turnkeeper/contracts';
import { DeliveryNotFound } from '@turnkeeper/domain';
import { listResponse } from '../http/paging.js';
import { Input, Route, type CallOf } from '../http/route.js';
import { deliveryContentResponse, deliveryResponse, wholeHistoryResponse } from './webhook-response.js';
import { APP, type App } from '../composition.js';

/** Deliveries to an endpoint, their replay, and attempts that are brought forward. */
@Controller()
export class WebhookDeliveriesController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.listWebhookDeliveries)
  async list(@Input() { tenantId, path, query }: CallOf<typeof routes.listWebhookDeliveries>) {
    const { endpointId } = await requireEndpoint(this.app.endpoints, tenantId, path.endpointId);
    const { limit, after, ...filter } = query;
    const found = await this.app.deliveries.list(tenantId, endpointId, filter, { limit: limit + 1, after });
    return listResponse(found, limit, deliveryResponse, ({ createdAt, deliveryId }) => `${createdAt}_${deliveryId}`);
  }

  @Route(routes.getWebhookDelivery)
  async content(@Input() { tenantId, path }: CallOf<typeof routes.getWebhookDelivery>) {
    const { endpointId } = await requireEndpoint(this.app.endpoints, tenantId, path.endpointId);
    const found = await this.app.deliveries.content(tenantId, endpointId, path.deliveryId, DELIVERY_BODY_BYTES);
    if (found === null) throw new DeliveryNotFound();
    return deliveryContentResponse(found);
  }

  @Route(routes.replayWebhookDeliveries)
  async replaySince(@Input() { tenantId, path, body }: CallOf<typeof routes.replayWebhookDeliveries>) {
    const { includeDelivered, ...span } = body;
    return { replayed: await this.app.replayDeliveries.execute(tenantId, path.endpointId, span, { includeDelivered }) };
  }

  @Route(routes.replayWebhookDelivery)
  async replayOne(@Input() { tenantId, path, body }: CallOf<typeof routes.replayWebhookDelivery>) {
    const { endpointId, deliveryId } = path;
    return { replayed: await this.app.replayDeliveries.execute(tenantId, endpointId, { deliveryId }, body) };
  }

  @Route(routes.sendWebhookDeliveriesNow)
  async sendSince(@Input() { tenantId, path, body }: CallOf<typeof routes.sendWebhookDeliveriesNow>) {
    return { sending: await this.app.sendDeliveriesNow.execute(tenantId, path.endpointId, body) };
  }

  @Route(routes.sendWebhookDeliveryNow)
  async sendOne(@Input() { tenantId, path }: CallOf<typeof routes.sendWebhookDeliveryNow>) {
    const { endpointId, deliveryId } = path;
    return { sending: await this.app.sendDeliveriesNow.execute(tenantId, endpointId, { deliveryId }) };
  }

  @Route(routes.getWholeHistory)
  async wholeHistory(@Input() { path, query }: CallOf<typeof routes.getWholeHistory>) {
    const { tenant: tenantId, expires, signature } = query;
    const link = { tenantId, agentId: path.agentId, expires, signature };
    const { agent, messages } = await this.app.readLinkedHistory.execute(link);
    return wholeHistoryResponse(agent, messages);
  }
}
