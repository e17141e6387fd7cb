import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { CreateWebhookEndpoint, type WebhookEndpoint, type WebhookStore } from '@turnkeeper/application';
import { createWebhookEndpointBody, parseOrRefuse, uuid } from '@turnkeeper/contracts';
import { DomainError } from '@turnkeeper/domain';
import { RequireScope, TenantId } from '../auth/auth.guard.js';
import { WEBHOOK_STORE } from '../tokens.js';

export class WebhookEndpointNotFound extends DomainError {
  readonly code = 'webhook_endpoint.not_found';
  readonly kind = 'not_found';
  constructor() {
    super('There is no such webhook endpoint.', { field: 'endpointId', rule: 'must name an endpoint of this tenant' });
  }
}

/** Without its secrets: they are shown once, when they are made. */
const endpointResponse = ({ endpointId, tenantId: _, secrets: __, ...endpoint }: WebhookEndpoint) => ({
  id: endpointId,
  ...endpoint,
});

const DELIVERIES_SHOWN = 100;

@Controller('v1/webhook-endpoints')
export class WebhookEndpointsController {
  constructor(
    @Inject(CreateWebhookEndpoint) private readonly createEndpoint: CreateWebhookEndpoint,
    @Inject(WEBHOOK_STORE) private readonly webhooks: WebhookStore,
  ) {}

  @Post()
  @RequireScope('webhooks:admin')
  async create(@TenantId() tenantId: string, @Body() body: unknown) {
    const endpoint = await this.createEndpoint.execute(
      tenantId,
      parseOrRefuse('webhook endpoint', createWebhookEndpointBody, body),
    );
    return { ...endpointResponse(endpoint), secret: endpoint.secrets[0] };
  }

  @Get()
  @RequireScope('webhooks:admin')
  async list(@TenantId() tenantId: string) {
    return (await this.webhooks.listEndpoints(tenantId)).map(endpointResponse);
  }

  @Get(':endpointId')
  @RequireScope('webhooks:admin')
  async get(@TenantId() tenantId: string, @Param('endpointId') endpointId: string) {
    return endpointResponse(await this.require(tenantId, endpointId));
  }

  @Delete(':endpointId')
  @HttpCode(204)
  @RequireScope('webhooks:admin')
  async delete(@TenantId() tenantId: string, @Param('endpointId') endpointId: string): Promise<void> {
    const endpoint = await this.require(tenantId, endpointId);
    await this.webhooks.deleteEndpoint(tenantId, endpoint.endpointId);
  }

  /** The newest deliveries, with every attempt and its reason. */
  @Get(':endpointId/deliveries')
  @RequireScope('webhooks:admin')
  async deliveries(@TenantId() tenantId: string, @Param('endpointId') endpointId: string) {
    const endpoint = await this.require(tenantId, endpointId);
    const deliveries = await this.webhooks.listDeliveries(tenantId, endpoint.endpointId, DELIVERIES_SHOWN);
    return Promise.all(
      deliveries.map(async ({ delivery, ...view }) => ({
        ...view,
        ...delivery,
        history: await this.webhooks.listAttempts(tenantId, view.deliveryId),
      })),
    );
  }

  private async require(tenantId: string, endpointId: string): Promise<WebhookEndpoint> {
    const id = uuid.safeParse(endpointId);
    const endpoint = id.success ? await this.webhooks.findEndpoint(tenantId, id.data) : null;
    if (endpoint === null) throw new WebhookEndpointNotFound();
    return endpoint;
  }
}
