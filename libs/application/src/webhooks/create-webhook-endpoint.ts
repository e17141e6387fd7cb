import type { CreateWebhookEndpointBody } from '@turnkeeper/contracts';
import { newSecret, TooManyWebhookEndpoints, type WebhookFormat } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import type { MostOf } from '../tenancy/most-of.js';
import type { WebhookEndpoint } from './webhook-endpoint-store.port.js';

/** Rules for URLs and secrets of endpoints, implemented by the sending adapter. */
export interface WebhookRules {
  /** Returns the URL to store. Throws a `DomainError` that names the violated rule. */
  acceptUrl(url: string): string;
  /** Throws a `DomainError` that names the violated rule. */
  assertSecret(format: WebhookFormat, secret: string): void;
  newSecret(format: WebhookFormat): string;
}

export interface EndpointDeps extends Pick<Ports, 'endpoints' | 'ids' | 'clock'> {
  readonly rules: WebhookRules;
}

/** Returns the given secret if the format supports it, or a new one. */
export const secretFor = (rules: WebhookRules, format: WebhookFormat, given: string | undefined): string => {
  if (given === undefined) return rules.newSecret(format);
  rules.assertSecret(format, given);
  return given;
};

/** Creates a tenant's webhook endpoint. */
export class CreateWebhookEndpoint {
  constructor(
    private readonly deps: EndpointDeps & {
      /**
       * Maximum number of endpoints of the tenant, because every event is delivered to all of them. Null for unlimited.
       */
      readonly mostEndpoints: MostOf;
    },
  ) {}

  async execute(tenantId: string, body: CreateWebhookEndpointBody): Promise<WebhookEndpoint> {
    const { endpoints, rules, ids, clock, mostEndpoints } = this.deps;
    const { url, description, events, format, secret } = body;
    const acceptedUrl = rules.acceptUrl(url);
    const now = clock.now();
    const endpoint: WebhookEndpoint = {
      endpointId: ids.next(),
      tenantId,
      url: acceptedUrl,
      description,
      events,
      format,
      secrets: [newSecret(secretFor(rules, format, secret), now)],
      status: 'active',
      createdAt: now.toISOString(),
    };
    const most = (await mostEndpoints(tenantId)) ?? Number.POSITIVE_INFINITY;
    if (!(await endpoints.insert(endpoint, most))) throw new TooManyWebhookEndpoints(most);
    return endpoint;
  }
}
