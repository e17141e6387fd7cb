import { Controller, Inject } from '@nestjs/common';
import { requireEndpoint } from '@turnkeeper/application';
import { DELIVERY_BODY_BYTES, routes } from '@turnkeeper/contracts';
import { DeliveryNotFound } from '@turnkeeper/domain';
import { listResponse } from '../http/paging.js';
import { Input, Route, type CallOf } from '../http/route.js';
import { deliveryContentResponse, deliveryResponse, wholeHistoryResponse } from './webhook-response.js';
import { APP, type App } from '../composition.js';

const { getWebhookDelivery, getWholeHistory, listWebhookDeliveries } = routes;
const { replayWebhookDeliveries, replayWebhookDelivery } = routes;
const { sendWebhookDeliveriesNow, sendWebhookDeliveryNow } = routes;

/** Deliveries to an endpoint, their replay, and attempts that are brought forward. */
@Controller()
export class WebhookDeliveriesController {
  constructor(
    @Inject(APP)
    private readonly app: Pick<
      App,
      'replayDeliveries' | 'sendDeliveriesNow' | 'readLinkedHistory' | 'endpoints' | 'deliveries'
    >,
  ) {}

  @Route(listWebhookDeliveries)
  async list(@Input() { tenantId, path, query }: CallOf<typeof listWebhookDeliveries>) {
    const { endpointId } = await requireEndpoint(this.app.endpoints, tenantId, path.endpointId);
    const { limit, after, ...filter } = query;
    const found = await this.app.deliveries.list(tenantId, endpointId, filter, { limit: limit + 1, after });
    return listResponse(found, limit, deliveryResponse, ({ createdAt, deliveryId }) => `${createdAt}_${deliveryId}`);
  }

  @Route(getWebhookDelivery)
  async content(@Input() { tenantId, path }: CallOf<typeof getWebhookDelivery>) {
    const { endpointId } = await requireEndpoint(this.app.endpoints, tenantId, path.endpointId);
    const found = await this.app.deliveries.content(tenantId, endpointId, path.deliveryId, DELIVERY_BODY_BYTES);
    if (found === null) throw new DeliveryNotFound();
    return deliveryContentResponse(found);
  }

  @Route(replayWebhookDeliveries)
  async replaySince(@Input() { tenantId, path, body }: CallOf<typeof replayWebhookDeliveries>) {
    const { includeDelivered, ...span } = body;
    return { replayed: await this.app.replayDeliveries.since(tenantId, path.endpointId, span, { includeDelivered }) };
  }

  @Route(replayWebhookDelivery)
  async replayOne(@Input() { tenantId, path, body }: CallOf<typeof replayWebhookDelivery>) {
    const isSentAgain = await this.app.replayDeliveries.one(tenantId, path.endpointId, path.deliveryId, body);
    return { replayed: isSentAgain ? 1 : 0 };
  }

  @Route(sendWebhookDeliveriesNow)
  async sendSince(@Input() { tenantId, path, body }: CallOf<typeof sendWebhookDeliveriesNow>) {
    return { sending: await this.app.sendDeliveriesNow.since(tenantId, path.endpointId, body) };
  }

  @Route(sendWebhookDeliveryNow)
  async sendOne(@Input() { tenantId, path }: CallOf<typeof sendWebhookDeliveryNow>) {
    const isSent = await this.app.sendDeliveriesNow.one(tenantId, path.endpointId, path.deliveryId);
    return { sending: isSent ? 1 : 0 };
  }

  @Route(getWholeHistory)
  async wholeHistory(@Input() { path, query }: CallOf<typeof getWholeHistory>) {
    const { tenant: tenantId, expires, signature } = query;
    const link = { tenantId, agentId: path.agentId, expires, signature };
    const { agent, messages } = await this.app.readLinkedHistory.execute(link);
    return wholeHistoryResponse(agent, messages);
  }
}
