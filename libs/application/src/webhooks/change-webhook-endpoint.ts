import type { ChangeWebhookEndpointBody, RotateWebhookSecretBody } from '@turnkeeper/contracts';
import { rotateSecrets, WebhookEndpointDisabled, WebhookEndpointNotFound } from '@turnkeeper/domain';
import type { WebhookEndpoint } from './webhook-endpoint-store.port.js';
import { secretFor, type EndpointDeps } from './create-webhook-endpoint.js';

type Change = (endpoint: WebhookEndpoint) => WebhookEndpoint;

/** Changes an existing endpoint. All methods reject with `WebhookEndpointNotFound`. */
export class ChangeWebhookEndpoint {
  constructor(private readonly deps: EndpointDeps) {}

  /**
   * Absent fields are unchanged. Pending deliveries use the new URL too.
   *
   * @param check throws if the change was made for another version than the current one
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

  /** Nothing is sent until the endpoint is resumed; new deliveries wait. Rejects with `WebhookEndpointDisabled`. */
  pause(tenantId: string, endpointId: string): Promise<WebhookEndpoint> {
    return this.change(tenantId, endpointId, (endpoint) => {
      if (endpoint.status === 'disabled') throw new WebhookEndpointDisabled();
      return { ...endpoint, status: 'paused' };
    });
  }

  /** Resumes sending, also after a 410. Deliveries parked in the meantime stay parked until replayed. */
  resume(tenantId: string, endpointId: string): Promise<WebhookEndpoint> {
    return this.change(tenantId, endpointId, (endpoint) => ({ ...endpoint, status: 'active' }));
  }

  /** Returns the endpoint with its new secret first. Rejects with `WebhookSecretRefused` or `TooManySecrets`. */
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
