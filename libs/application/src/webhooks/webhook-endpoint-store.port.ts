import type { WebhookEvent, WebhookFormat, WebhookSecret } from '@turnkeeper/domain';
import type { Transaction } from '../shared/transaction.port.js';

/**
 * - `paused`: due deliveries wait until it is resumed
 * - `disabled`: it answered 410; nothing is planned for it until it is resumed
 */
export type WebhookEndpointStatus = 'active' | 'paused' | 'disabled';

export interface WebhookEndpoint {
  readonly endpointId: string;
  readonly tenantId: string;
  readonly url: string;
  readonly description: string;
  /** Subscribed events; null for all that its format supports. */
  readonly events: readonly WebhookEvent[] | null;
  readonly format: WebhookFormat;
  /** Newest first. All that are still valid sign (`validSecrets`). */
  readonly secrets: readonly WebhookSecret[];
  readonly status: WebhookEndpointStatus;
  readonly createdAt: string;
}

export interface WebhookEndpointStore {
  /**
   * Resolves to false and stores nothing if the tenant already has `most` endpoints (default: unlimited). Safe under
   * concurrency.
   */
  insert(endpoint: WebhookEndpoint, most?: number): Promise<boolean>;
  /** Oldest first. Secrets are returned without their text. */
  list(tenantId: string): Promise<readonly WebhookEndpoint[]>;
  /** Rejects with `SecretUnreadable` if a secret cannot be decrypted; so does `change`. */
  find(tenantId: string, endpointId: string): Promise<WebhookEndpoint | null>;
  /** Locks the endpoint and stores the result of `change`. Returns null if there is no such endpoint. */
  change(
    tenantId: string,
    endpointId: string,
    change: (endpoint: WebhookEndpoint) => WebhookEndpoint,
  ): Promise<WebhookEndpoint | null>;
  /** Deletes the endpoint and its deliveries. Resolves to false if there is no such endpoint. */
  delete(tenantId: string, endpointId: string): Promise<boolean>;
  /**
   * The tenant's endpoints that receive current events: active and paused ones. Secrets are returned without their
   * text.
   */
  listening(tx: Transaction, tenantId: string): Promise<readonly WebhookEndpoint[]>;
}
