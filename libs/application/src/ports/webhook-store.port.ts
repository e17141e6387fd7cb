import type { AttemptOutcome, AttemptVerdict, Delivery, WebhookEvent, WebhookFormat } from '@turnkeeper/domain';
import type { Transaction } from './transaction.port.js';

export interface WebhookEndpoint {
  readonly endpointId: string;
  readonly tenantId: string;
  readonly url: string;
  readonly description: string;
  /** What it is told about; null for everything that its format can carry. */
  readonly events: readonly WebhookEvent[] | null;
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
  readonly eventType: WebhookEvent;
  readonly causeEventId: string;
  readonly agentId: string;
  /** The same on every attempt. */
  readonly messageId: string;
}

/** A delivery that this worker may attempt now. */
export interface DeliveryClaim extends NewDelivery {
  readonly endpoint: WebhookEndpoint;
  /** Where it stands before this attempt. */
  readonly delivery: Delivery;
  /** The frozen bytes, or null before the first attempt. */
  readonly body: Uint8Array | null;
  /** Must still hold when the attempt is written. */
  readonly fence: number;
}

export interface AttemptView {
  /** Counted over all rounds, from 1. */
  readonly attempt: number;
  /** ISO 8601. */
  readonly at: string;
  readonly reason: string;
  readonly status: number | null;
  readonly durationMs: number;
  readonly detail: string | null;
}

export interface DeliveryView {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly messageId: string;
  readonly eventType: WebhookEvent;
  readonly agentId: string;
  readonly delivery: Delivery;
  readonly createdAt: string;
}

export interface WebhookStore {
  insertEndpoint(endpoint: WebhookEndpoint): Promise<void>;
  listEndpoints(tenantId: string): Promise<readonly WebhookEndpoint[]>;
  findEndpoint(tenantId: string, endpointId: string): Promise<WebhookEndpoint | null>;
  deleteEndpoint(tenantId: string, endpointId: string): Promise<boolean>;
  /** Active endpoints of a tenant that want this event. */
  subscribers(tx: Transaction, tenantId: string, event: WebhookEvent): Promise<readonly WebhookEndpoint[]>;
  /** Adds deliveries, due at once; one that is there already stays as it is. */
  insertDeliveries(tx: Transaction, deliveries: readonly NewDelivery[]): Promise<void>;
  /** Takes a due delivery, or resolves to null when it is not due or another worker has it. */
  claim(deliveryId: string, leaseSeconds: number): Promise<DeliveryClaim | null>;
  /** Keeps the bytes if none are kept yet, and gives the bytes that are kept. */
  freezeBody(deliveryId: string, body: Uint8Array): Promise<Uint8Array>;
  /** Writes the attempt and its consequence; nothing when the fence has moved on. */
  finishAttempt(claim: DeliveryClaim, outcome: AttemptOutcome, verdict: AttemptVerdict): Promise<void>;
  due(limit: number): Promise<readonly string[]>;
  listDeliveries(tenantId: string, endpointId: string, limit: number): Promise<readonly DeliveryView[]>;
  listAttempts(tenantId: string, deliveryId: string): Promise<readonly AttemptView[]>;
}

/** Signs and sends one attempt. Remote faults are data: it never rejects for them. */
export interface WebhookTransport {
  attempt(
    message: {
      readonly url: string;
      readonly format: WebhookFormat;
      /** All of them sign. */
      readonly secrets: readonly string[];
      readonly messageId: string;
      readonly body: Uint8Array;
      /** When this attempt is made; part of the Standard Webhooks signature. */
      readonly at: Date;
      /** Which attempt this is, from 1. */
      readonly attempt: number;
    },
    signal: AbortSignal,
  ): Promise<AttemptOutcome>;
}
