import type { ChangeWebhookEndpointBody, RotateWebhookSecretBody } from '@turnkeeper/contracts';
import { rotateSecrets, WebhookEndpointDisabled, WebhookEndpointNotFound } from '@turnkeeper/domain';
import type { WebhookEndpoint } from '../ports/webhook-endpoint-store.port.js';
import { secretFor, type EndpointDeps } from './create-webhook-endpoint.js';

type Change = (endpoint: WebhookEndpoint) => WebhookEndpoint;

/** Changes an endpoint that is there. All of it rejects with `WebhookEndpointNotFound`. */
export class ChangeWebhookEndpoint {
  constructor(private readonly deps: EndpointDeps) {}

  /**
   * What is absent stays. Deliveries that are under way already go to the new address as well.
   *
   * @param check throws where the change is meant for another version than the current one
   */
  update(
    tenantId: string,
    endpointId: string,
    body: ChangeWebhookEndpointBody,
    check: (current: WebhookEndpoint) => void = () => undefined,
  ): Promise<WebhookEndpoint> {
    const { url, description, events } = body;
    const acceptedUrl = url === undefined ? undefined : this.deps.rules.acceptUrl(url);
    return this.change(tenantId, endpointId, (endpoint) => {
      check(endpoint);
      return {
        ...endpoint,
        url: acceptedUrl ?? endpoint.url,
        description: description ?? endpoint.description,
        events: events ?? endpoint.events,
      };
    });
  }

  /** Nothing is sent until it is resumed; what happens meanwhile waits. Rejects with `WebhookEndpointDisabled`. */
  pause(tenantId: string, endpointId: string): Promise<WebhookEndpoint> {
    return this.change(tenantId, endpointId, (endpoint) => {
      if (endpoint.status === 'disabled') throw new WebhookEndpointDisabled();
      return { ...endpoint, status: 'paused' };
    });
  }

  /** Sends again, also after a 410. What was parked then stays parked until it is replayed. */
  resume(tenantId: string, endpointId: string): Promise<WebhookEndpoint> {
    return this.change(tenantId, endpointId, (endpoint) => ({ ...endpoint, status: 'active' }));
  }

  /** Gives the endpoint with its new secret first. Rejects with `WebhookSecretRefused` or `TooManySecrets`. */
  rotateSecret(tenantId: string, endpointId: string, body: RotateWebhookSecretBody): Promise<WebhookEndpoint> {
    const { rules, clock } = this.deps;
    const { secret, overlapSeconds } = body;
    return this.change(tenantId, endpointId, (endpoint) => ({
      ...endpoint,
      secrets: rotateSecrets(endpoint.secrets, secretFor(rules, endpoint.format, secret), {
        now: clock.now(),
        overlapSeconds,
      }),
    }));
  }

  private async change(tenantId: string, endpointId: string, change: Change): Promise<WebhookEndpoint> {
    const endpoint = await this.deps.endpoints.change(tenantId, endpointId, change);
    if (endpoint === null) throw new WebhookEndpointNotFound();
    return endpoint;
  }
}
