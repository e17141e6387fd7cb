import type { CreateWebhookEndpointBody } from '@turnkeeper/contracts';
import type { WebhookFormat } from '@turnkeeper/domain';
import type { Clock, Ids } from '../ports/clock.port.js';
import type { WebhookEndpoint, WebhookStore } from '../ports/webhook-store.port.js';

/** What an endpoint's address and secret must be like; the adapter that sends knows. */
export interface WebhookRules {
  /** The address to store, or a thrown `DomainError` that names the rule. */
  acceptUrl(url: string): string;
  /** Throws a `DomainError` that names the rule. */
  assertSecret(format: WebhookFormat, secret: string): void;
  newSecret(format: WebhookFormat): string;
}

/** Registers where a tenant's webhooks go. */
export class CreateWebhookEndpoint {
  constructor(
    private readonly deps: {
      readonly webhooks: WebhookStore;
      readonly rules: WebhookRules;
      readonly ids: Ids;
      readonly clock: Clock;
    },
  ) {}

  async execute(tenantId: string, body: CreateWebhookEndpointBody): Promise<WebhookEndpoint> {
    const { webhooks, rules, ids, clock } = this.deps;
    const { url, description, events, format, secret } = body;
    const acceptedUrl = rules.acceptUrl(url);
    if (secret !== undefined) rules.assertSecret(format, secret);
    const endpoint: WebhookEndpoint = {
      endpointId: ids.next(),
      tenantId,
      url: acceptedUrl,
      description,
      events,
      format,
      secrets: [secret ?? rules.newSecret(format)],
      status: 'active',
      createdAt: clock.now().toISOString(),
    };
    await webhooks.insertEndpoint(endpoint);
    return endpoint;
  }
}
