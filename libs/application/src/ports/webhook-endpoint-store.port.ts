import type { WebhookEvent, WebhookFormat, WebhookSecret } from '@turnkeeper/domain';
import type { Transaction } from './transaction.port.js';

/**
 * - `paused`: what is due for it waits until it is resumed
 * - `disabled`: it answered 410; nothing is planned for it until it is resumed
 */
export type WebhookEndpointStatus = 'active' | 'paused' | 'disabled';

export interface WebhookEndpoint {
  readonly endpointId: string;
  readonly tenantId: string;
  readonly url: string;
  readonly description: string;
  /** What it is told about; null for everything that its format can carry. */
  readonly events: readonly WebhookEvent[] | null;
  readonly format: WebhookFormat;
  /** Newest first. Those that are still valid sign (`validSecrets`). */
  readonly secrets: readonly WebhookSecret[];
  readonly status: WebhookEndpointStatus;
  readonly createdAt: string;
}

export interface WebhookEndpointStore {
  /** False, and nothing is stored, when the tenant has `most` endpoints already (default: any number); however many ask at once. */
  insert(endpoint: WebhookEndpoint, most?: number): Promise<boolean>;
  /** Oldest first, without the text of their secrets. */
  list(tenantId: string): Promise<readonly WebhookEndpoint[]>;
  /** Rejects with `SecretUnreadable` where its secrets cannot be opened; `change` as well. */
  find(tenantId: string, endpointId: string): Promise<WebhookEndpoint | null>;
  /** Locks the endpoint, stores the result of `change`; null when there is none. */
  change(
    tenantId: string,
    endpointId: string,
    change: (endpoint: WebhookEndpoint) => WebhookEndpoint,
  ): Promise<WebhookEndpoint | null>;
  /** Deletes it with its deliveries; false when there is none. */
  delete(tenantId: string, endpointId: string): Promise<boolean>;
  /** Those of a tenant that are told about what happens now: active and paused ones, without the text of their secrets. */
  listening(tx: Transaction, tenantId: string): Promise<readonly WebhookEndpoint[]>;
}
