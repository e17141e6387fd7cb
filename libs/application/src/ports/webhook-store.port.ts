import type { Transaction } from './transaction.port.js';

export type WebhookFormat = 'standard' | 'agora';

export interface WebhookEndpoint {
  readonly endpointId: string;
  readonly tenantId: string;
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly format: WebhookFormat;
  /** Newest first; all of them sign while a rotation overlaps. */
  readonly secrets: readonly string[];
  readonly status: 'active' | 'paused' | 'disabled';
  readonly createdAt: string;
}

/** One message for one endpoint, before it has a body. */
export interface NewDelivery {
  readonly deliveryId: string;
  readonly tenantId: string;
  readonly endpointId: string;
  readonly eventType: string;
  readonly causeEventId: string;
  readonly agentId: string;
  /** The same on every attempt. */
  readonly messageId: string;
}

export interface DeliveryClaim extends NewDelivery {
  readonly endpoint: WebhookEndpoint;
  /** The frozen bytes, or null before the first attempt. */
  readonly body: Uint8Array | null;
  /** This attempt's number, from 1. */
  readonly attempt: number;
  readonly fence: number;
}

export interface AttemptReport {
  /** `delivered`, or why not. */
  readonly code: string;
  readonly status: number | null;
  readonly durationMs: number;
  readonly detail: string | null;
}

export type DeliveryFate =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly inMs: number }
  | { readonly kind: 'parked'; readonly disableEndpoint: boolean };

export interface DeliveryView {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly messageId: string;
  readonly eventType: string;
  readonly agentId: string;
  readonly status: 'pending' | 'delivered' | 'parked';
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
  readonly lastCode: string | null;
  readonly createdAt: string;
}

export interface WebhookStore {
  insertEndpoint(endpoint: WebhookEndpoint): Promise<void>;
  listEndpoints(tenantId: string): Promise<readonly WebhookEndpoint[]>;
  findEndpoint(tenantId: string, endpointId: string): Promise<WebhookEndpoint | null>;
  deleteEndpoint(tenantId: string, endpointId: string): Promise<boolean>;
  /** Active endpoints of a tenant that want this event. */
  subscribers(tx: Transaction, tenantId: string, eventType: string): Promise<readonly WebhookEndpoint[]>;
  /** Adds deliveries, due at once; one that is there already stays as it is. */
  insertDeliveries(tx: Transaction, deliveries: readonly NewDelivery[]): Promise<void>;
  /** Takes a due delivery, or resolves to null when it is not due or another worker has it. */
  claim(deliveryId: string, leaseSeconds: number): Promise<DeliveryClaim | null>;
  /** Keeps the bytes if none are kept yet, and gives the bytes that are kept. */
  freezeBody(deliveryId: string, body: Uint8Array): Promise<Uint8Array>;
  /** Writes the attempt and its consequence; nothing when the fence has moved on. */
  finishAttempt(claim: DeliveryClaim, report: AttemptReport, fate: DeliveryFate): Promise<void>;
  due(limit: number): Promise<readonly string[]>;
  listDeliveries(tenantId: string, endpointId: string, limit: number): Promise<readonly DeliveryView[]>;
  listAttempts(tenantId: string, deliveryId: string): Promise<readonly (AttemptReport & { readonly at: string })[]>;
}
