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
import { routes, type InputOf, type OutputOf } from '@turnkeeper/contracts';
import { TenantId } from '../auth/auth.guard.js';
import { IfMatch, type VersionCheck } from '../http/etag.js';
import { boundedListResponse } from '../http/paging.js';
import { Input, Route } from '../http/route.js';
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

type EndpointAnswer = OutputOf<typeof getWebhookEndpoint>;
type EndpointWithSecretAnswer = OutputOf<typeof createWebhookEndpoint>;

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
  async create(
    @TenantId() tenantId: string,
    @Input(createWebhookEndpoint) { body }: InputOf<typeof createWebhookEndpoint>,
  ): Promise<EndpointWithSecretAnswer> {
    return endpointWithSecretResponse(await this.createEndpoint.execute(tenantId, body), this.clock.now());
  }

  @Route(listWebhookEndpoints)
  async list(
    @TenantId() tenantId: string,
    @Input(listWebhookEndpoints) { query }: InputOf<typeof listWebhookEndpoints>,
  ): Promise<OutputOf<typeof listWebhookEndpoints>> {
    const now = this.clock.now();
    const rows = await this.endpoints.list(tenantId);
    const keyOf = ({ createdAt, endpointId }: WebhookEndpoint): string => `${createdAt}_${endpointId}`;
    return boundedListResponse({ rows, query, keyOf, order: 'ascending', row: (one) => endpointResponse(one, now) });
  }

  @Route(getWebhookEndpoint)
  async get(
    @TenantId() tenantId: string,
    @Input(getWebhookEndpoint) { path }: InputOf<typeof getWebhookEndpoint>,
  ): Promise<EndpointAnswer> {
    return endpointResponse(await requireEndpoint(this.endpoints, tenantId, path.endpointId), this.clock.now());
  }

  @Route(changeWebhookEndpoint)
  async change(
    @TenantId() tenantId: string,
    @Input(changeWebhookEndpoint) { path, body }: InputOf<typeof changeWebhookEndpoint>,
    @IfMatch() check: VersionCheck,
  ): Promise<EndpointAnswer> {
    const now = this.clock.now();
    const endpoint = await this.changeEndpoint.update(tenantId, path.endpointId, body, (current) =>
      check(endpointResponse(current, now)),
    );
    return endpointResponse(endpoint, now);
  }

  @Route(deleteWebhookEndpoint)
  async delete(
    @TenantId() tenantId: string,
    @Input(deleteWebhookEndpoint) { path }: InputOf<typeof deleteWebhookEndpoint>,
  ): Promise<OutputOf<typeof deleteWebhookEndpoint>> {
    await this.endpoints.delete(tenantId, path.endpointId);
    return undefined;
  }

  @Route(pauseWebhookEndpoint)
  async pause(
    @TenantId() tenantId: string,
    @Input(pauseWebhookEndpoint) { path }: InputOf<typeof pauseWebhookEndpoint>,
  ): Promise<EndpointAnswer> {
    return endpointResponse(await this.changeEndpoint.pause(tenantId, path.endpointId), this.clock.now());
  }

  @Route(resumeWebhookEndpoint)
  async resume(
    @TenantId() tenantId: string,
    @Input(resumeWebhookEndpoint) { path }: InputOf<typeof resumeWebhookEndpoint>,
  ): Promise<EndpointAnswer> {
    return endpointResponse(await this.changeEndpoint.resume(tenantId, path.endpointId), this.clock.now());
  }

  @Route(rotateWebhookSecret)
  async rotateSecret(
    @TenantId() tenantId: string,
    @Input(rotateWebhookSecret) { path, body }: InputOf<typeof rotateWebhookSecret>,
  ): Promise<EndpointWithSecretAnswer> {
    const endpoint = await this.changeEndpoint.rotateSecret(tenantId, path.endpointId, body);
    return endpointWithSecretResponse(endpoint, this.clock.now());
  }

  @Route(testWebhookEndpoint)
  test(
    @TenantId() tenantId: string,
    @Input(testWebhookEndpoint) { path }: InputOf<typeof testWebhookEndpoint>,
  ): Promise<OutputOf<typeof testWebhookEndpoint>> {
    return this.testEndpoint.execute(tenantId, path.endpointId, new AbortController().signal);
  }
}
