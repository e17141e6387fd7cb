import { randomUUID } from 'node:crypto';
import type { DeliveryClaim, NewDelivery, WebhookEndpoint } from '@turnkeeper/application';
import { afterAttempt, newSecret, type AttemptOutcome } from '@turnkeeper/domain';
import { PgDeliveryStore } from '../work/deliveries/delivery-store.js';
import { PgWebhookEndpointStore } from '../work/deliveries/webhook-endpoint-store.js';
import { ReadModelDatabase } from './read-model-database.js';
import { testCipher } from './test-cipher.js';

export const LEASE_SECONDS = 30;
const ROOMY = { perEndpoint: 100, perTimedOut: 100, timedOutTotal: 100, atOnce: 100 };
export const SECRETS = ['whsec_new', 'whsec_old'].map((secret) => newSecret(secret, new Date('2026-01-01T00:00:00Z')));
export const OK: AttemptOutcome = { kind: 'response', status: 204, durationMs: 12.4 };
export const BROKEN: AttemptOutcome = { kind: 'response', status: 500, durationMs: 3, bodyExcerpt: 'out of memory' };
export const GONE: AttemptOutcome = { kind: 'response', status: 410, durationMs: 3 };

/** The stores of webhook endpoints and deliveries on their own database, and steps that tests repeat. */
export class DeliveryWork {
  database!: ReadModelDatabase;
  endpoints!: PgWebhookEndpointStore;
  store!: PgDeliveryStore;
  readonly tenantId = randomUUID();

  readonly start = async (): Promise<void> => {
    this.database = await ReadModelDatabase.create();
    this.endpoints = new PgWebhookEndpointStore(this.database.dataSource, testCipher);
    this.store = new PgDeliveryStore(this.database.dataSource, testCipher);
  };
  readonly close = () => this.database?.close();
  readonly empty = () => this.database.rows('truncate webhook_endpoints cascade');

  readonly endpoint = async (more: Partial<WebhookEndpoint> = {}): Promise<WebhookEndpoint> => {
    const made: WebhookEndpoint = {
      endpointId: randomUUID(),
      tenantId: this.tenantId,
      url: 'https://example.com/hook',
      description: 'mine',
      events: ['agent.history'],
      format: 'standard',
      secrets: SECRETS,
      status: 'active',
      createdAt: '2026-01-01T00:00:00.000Z',
      ...more,
    };
    await this.endpoints.insert(made, 1_000);
    return made;
  };
  readonly delivery = (endpointId: string, more: Partial<NewDelivery> = {}): NewDelivery => ({
    deliveryId: randomUUID(),
    tenantId: this.tenantId,
    endpointId,
    eventType: 'agent.history',
    causeEventId: randomUUID(),
    agentId: randomUUID(),
    messageId: `msg_${randomUUID()}`,
    body: null,
    place: null,
    sessionKey: null,
    ...more,
  });
  readonly insert = async (...deliveries: readonly NewDelivery[]): Promise<void> => {
    await this.database.unitOfWork.run((tx) => this.store.insert(tx, deliveries));
  };
  /** A delivery to an endpoint of its own. */
  readonly planned = async (): Promise<NewDelivery> => {
    const made = this.delivery((await this.endpoint()).endpointId);
    await this.insert(made);
    return made;
  };
  readonly claim = ({ deliveryId }: NewDelivery) => this.store.claim(deliveryId, LEASE_SECONDS);
  readonly finish = (held: DeliveryClaim, outcome: AttemptOutcome) =>
    this.store.finish(held, outcome, afterAttempt(held.delivery, outcome, { now: new Date(), random: 0 }));
  readonly passTime = (seconds: number) =>
    this.database.rows(
      `update webhook_deliveries set due_at = due_at - make_interval(secs => $1),
         lease_until = lease_until - make_interval(secs => $1),
         admitted_until = admitted_until - make_interval(secs => $1)`,
      [seconds],
    );
  readonly list = (endpointId: string, tenant = this.tenantId) =>
    this.store.list(tenant, endpointId, {}, { limit: 100 });
  readonly state = async (endpointId: string) => (await this.list(endpointId))[0]?.delivery;
  readonly attempts = async (endpointId: string) => (await this.list(endpointId))[0]?.history;
  /** Admitted deliveries, as many as `atOnce`. Their endpoints have room. */
  readonly admit = (atOnce = 100) => this.store.admit({ ...ROOMY, atOnce });
  /** Admitted deliveries. Clears the queued marks, as if they had timed out. */
  readonly due = async () => {
    await this.store.settleLost(10);
    const admitted = (await this.admit()).map(({ deliveryId }) => deliveryId);
    await this.database.rows('update webhook_deliveries set admitted_until = null where lease_until is null');
    return admitted;
  };
}
