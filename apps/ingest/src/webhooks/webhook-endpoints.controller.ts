import { Controller, Inject } from '@nestjs/common';
import {
  ChangeWebhookEndpoint,
  CreateWebhookEndpoint,
  requireEndpoint,
  TestWebhookEndpoint,
  type Clock,
  type WebhookEndpoint,
  type WebhookEndpointStore,
} from '@turnkeeper/application';
import { routes } from '@turnkeeper/contracts';
import { IfMatch, type VersionCheck } from '../http/etag.js';
import { boundedListResponse } from '../http/paging.js';
import { Input, Route, type CallOf } from '../http/route.js';
import { CLOCK, WEBHOOK_ENDPOINT_STORE } from '@turnkeeper/runtime/nest';
import { endpointResponse, endpointWithSecretResponse } from './webhook-response.js';

const {
  createWebhookEndpoint,
  listWebhookEndpoints,
  getWebhookEndpoint,
  changeWebhookEndpoint,
  deleteWebhookEndpoint,
  pauseWebhookEndpoint,
  resumeWebhookEndpoint,
  rotateWebhookSecret,
  testWebhookEndpoint,
} = routes;

/** A tenant's webhook endpoints. */
@Controller()
export class WebhookEndpointsController {
  constructor(
    @Inject(CreateWebhookEndpoint) private readonly createEndpoint: CreateWebhookEndpoint,
    @Inject(ChangeWebhookEndpoint) private readonly changeEndpoint: ChangeWebhookEndpoint,
    @Inject(TestWebhookEndpoint) private readonly testEndpoint: TestWebhookEndpoint,
    @Inject(WEBHOOK_ENDPOINT_STORE) private readonly endpoints: WebhookEndpointStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Route(createWebhookEndpoint)
  async create(@Input() { tenantId, body }: CallOf<typeof createWebhookEndpoint>) {
    return endpointWithSecretResponse(await this.createEndpoint.execute(tenantId, body), this.clock.now());
  }

  @Route(listWebhookEndpoints)
  async list(@Input() { tenantId, query }: CallOf<typeof listWebhookEndpoints>) {
    const now = this.clock.now();
    const rows = await this.endpoints.list(tenantId);
    const keyOf = ({ createdAt, endpointId }: WebhookEndpoint): string => `${createdAt}_${endpointId}`;
    return boundedListResponse({ rows, query, keyOf, order: 'ascending', row: (one) => endpointResponse(one, now) });
  }

  @Route(getWebhookEndpoint)
  async get(@Input() { tenantId, path }: CallOf<typeof getWebhookEndpoint>) {
    return endpointResponse(await requireEndpoint(this.endpoints, tenantId, path.endpointId), this.clock.now());
  }

  @Route(changeWebhookEndpoint)
  async change(
    @Input() { tenantId, path, body }: CallOf<typeof changeWebhookEndpoint>,
    @IfMatch() check: VersionCheck,
  ) {
    const now = this.clock.now();
    const endpoint = await this.changeEndpoint.update(tenantId, path.endpointId, body, (current) =>
      check(endpointResponse(current, now)),
    );
    return endpointResponse(endpoint, now);
  }

  @Route(deleteWebhookEndpoint)
  async delete(@Input() { tenantId, path }: CallOf<typeof deleteWebhookEndpoint>) {
    await this.endpoints.delete(tenantId, path.endpointId);
  }

  @Route(pauseWebhookEndpoint)
  async pause(@Input() { tenantId, path }: CallOf<typeof pauseWebhookEndpoint>) {
    return endpointResponse(await this.changeEndpoint.pause(tenantId, path.endpointId), this.clock.now());
  }

  @Route(resumeWebhookEndpoint)
  async resume(@Input() { tenantId, path }: CallOf<typeof resumeWebhookEndpoint>) {
    return endpointResponse(await this.changeEndpoint.resume(tenantId, path.endpointId), this.clock.now());
  }

  @Route(rotateWebhookSecret)
  async rotateSecret(@Input() { tenantId, path, body }: CallOf<typeof rotateWebhookSecret>) {
    const endpoint = await this.changeEndpoint.rotateSecret(tenantId, path.endpointId, body);
    return endpointWithSecretResponse(endpoint, this.clock.now());
  }

  @Route(testWebhookEndpoint)
  test(@Input() { tenantId, path }: CallOf<typeof testWebhookEndpoint>) {
    return this.testEndpoint.execute(tenantId, path.endpointId, new AbortController().signal);
  }
}
