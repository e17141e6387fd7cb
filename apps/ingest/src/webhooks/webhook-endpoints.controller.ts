import { Controller, Inject } from '@nestjs/common';
import { requireEndpoint, type WebhookEndpoint } from '@turnkeeper/application';
import { routes } from '@turnkeeper/contracts';
import { IfMatch, type VersionCheck } from '../http/etag.js';
import { boundedListResponse } from '../http/paging.js';
import { Input, Route, type CallOf } from '../http/route.js';
import { endpointResponse, endpointWithSecretResponse } from './webhook-response.js';
import { APP, type App } from '../composition.js';

/** A tenant's webhook endpoints. */
@Controller()
export class WebhookEndpointsController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.createWebhookEndpoint)
  async create(@Input() { tenantId, body }: CallOf<typeof routes.createWebhookEndpoint>) {
    return endpointWithSecretResponse(
      await this.app.createWebhookEndpoint.execute(tenantId, body),
      this.app.clock.now(),
    );
  }

  @Route(routes.listWebhookEndpoints)
  async list(@Input() { tenantId, query }: CallOf<typeof routes.listWebhookEndpoints>) {
    const now = this.app.clock.now();
    const rows = await this.app.endpoints.list(tenantId);
    const keyOf = ({ createdAt, endpointId }: WebhookEndpoint): string => `${createdAt}_${endpointId}`;
    return boundedListResponse({ rows, query, keyOf, order: 'ascending', row: (one) => endpointResponse(one, now) });
  }

  @Route(routes.getWebhookEndpoint)
  async get(@Input() { tenantId, path }: CallOf<typeof routes.getWebhookEndpoint>) {
    return endpointResponse(await requireEndpoint(this.app.endpoints, tenantId, path.endpointId), this.app.clock.now());
  }

  @Route(routes.changeWebhookEndpoint)
  async change(
    @Input() { tenantId, path, body }: CallOf<typeof routes.changeWebhookEndpoint>,
    @IfMatch() check: VersionCheck,
  ) {
    const now = this.app.clock.now();
    const endpoint = await this.app.changeWebhookEndpoint.update(tenantId, path.endpointId, body, (current) =>
      check(endpointResponse(current, now)),
    );
    return endpointResponse(endpoint, now);
  }

  @Route(routes.deleteWebhookEndpoint)
  async delete(@Input() { tenantId, path }: CallOf<typeof routes.deleteWebhookEndpoint>) {
    await this.app.endpoints.delete(tenantId, path.endpointId);
  }

  @Route(routes.pauseWebhookEndpoint)
  async pause(@Input() { tenantId, path }: CallOf<typeof routes.pauseWebhookEndpoint>) {
    return endpointResponse(
      await this.app.changeWebhookEndpoint.pause(tenantId, path.endpointId),
      this.app.clock.now(),
    );
  }

  @Route(routes.resumeWebhookEndpoint)
  async resume(@Input() { tenantId, path }: CallOf<typeof routes.resumeWebhookEndpoint>) {
    return endpointResponse(
      await this.app.changeWebhookEndpoint.resume(tenantId, path.endpointId),
      this.app.clock.now(),
    );
  }

  @Route(routes.rotateWebhookSecret)
  async rotateSecret(@Input() { tenantId, path, body }: CallOf<typeof routes.rotateWebhookSecret>) {
    const endpoint = await this.app.changeWebhookEndpoint.rotateSecret(tenantId, path.endpointId, body);
    return endpointWithSecretResponse(endpoint, this.app.clock.now());
  }

  @Route(routes.testWebhookEndpoint)
  test(@Input() { tenantId, path }: CallOf<typeof routes.testWebhookEndpoint>) {
    return this.app.testWebhookEndpoint.execute(tenantId, path.endpointId, new AbortController().signal);
  }
}
