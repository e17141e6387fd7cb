import type {
  BodyOf,
  QueryOf,
  WebhookDelivery,
  WebhookDeliveryContent,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  WebhookTestResult,
} from '../api/types.js';
import { List } from '../http/list.js';
import type { CallOptions, Transport } from '../http/transport.js';

const ENDPOINTS = '/v1/webhook-endpoints';
const ENDPOINT = `${ENDPOINTS}/{endpointId}` as const;

export type DeliveriesFilter = Omit<QueryOf<'get', `${typeof ENDPOINT}/deliveries`>, 'after' | 'limit'>;

/** Endpoints of webhooks and their deliveries. Needs a key with the scope `webhooks:admin`. */
export class Webhooks {
  constructor(private readonly transport: Transport) {}

  /** Creates an endpoint. Its secret is shown only here. */
  create(body: BodyOf<'post', typeof ENDPOINTS>, call?: CallOptions): Promise<WebhookEndpointWithSecret> {
    return this.transport.request('post', ENDPOINTS, { body }, call);
  }

  list(call?: CallOptions): List<WebhookEndpoint> {
    return List.of<WebhookEndpoint, string>((after) =>
      this.transport.request(
        'get',
        ENDPOINTS,
        { query: { limit: 100, ...(after === undefined ? {} : { after }) } },
        call,
      ),
    );
  }

  get(endpointId: string, call?: CallOptions): Promise<WebhookEndpoint> {
    return this.transport.request('get', ENDPOINT, { path: { endpointId } }, call);
  }

  change(endpointId: string, body: BodyOf<'patch', typeof ENDPOINT>, call?: CallOptions): Promise<WebhookEndpoint> {
    return this.transport.request('patch', ENDPOINT, { path: { endpointId }, body }, call);
  }

  async delete(endpointId: string, call?: CallOptions): Promise<void> {
    await this.transport.request('delete', ENDPOINT, { path: { endpointId } }, call);
  }

  /** Deliveries of an endpoint, with every attempt and its reason. */
  deliveries(endpointId: string, filter: DeliveriesFilter = {}, call?: CallOptions): List<WebhookDelivery> {
    return List.of<WebhookDelivery, string>((after) => {
      const query = { ...filter, limit: 100, ...(after === undefined ? {} : { after }) };
      return this.transport.request('get', `${ENDPOINT}/deliveries`, { path: { endpointId }, query }, call);
    });
  }

  /** A delivery with the first 64 KiB of its body, and the endpoint's response to each attempt. */
  delivery(endpointId: string, deliveryId: string, call?: CallOptions): Promise<WebhookDeliveryContent> {
    const path = `${ENDPOINT}/deliveries/{deliveryId}` as const;
    return this.transport.request('get', path, { path: { endpointId, deliveryId } }, call);
  }

  /** Sends one delivery again: the same id and bytes. */
  async replayDelivery(
    endpointId: string,
    deliveryId: string,
    { includeDelivered = false, ...call }: CallOptions & { readonly includeDelivered?: boolean } = {},
  ): Promise<number> {
    const input = { path: { endpointId, deliveryId }, body: { includeDelivered } };
    const path = `${ENDPOINT}/deliveries/{deliveryId}/replay` as const;
    return (await this.transport.request('post', path, input, { repeatable: true, ...call })).replayed;
  }

  /** Sends the parked deliveries of a period again. */
  async replay(
    endpointId: string,
    body: BodyOf<'post', `${typeof ENDPOINT}/replay`>,
    call: CallOptions = {},
  ): Promise<number> {
    const input = { path: { endpointId }, body };
    return (await this.transport.request('post', `${ENDPOINT}/replay`, input, { repeatable: true, ...call })).replayed;
  }

  /** Tries a pending delivery now, without waiting for its next attempt. Resolves to 0 if it was due already. */
  async sendDeliveryNow(endpointId: string, deliveryId: string, call: CallOptions = {}): Promise<number> {
    const path = `${ENDPOINT}/deliveries/{deliveryId}/send-now` as const;
    const input = { path: { endpointId, deliveryId } };
    return (await this.transport.request('post', path, input, { repeatable: true, ...call })).sending;
  }

  /** Tries the pending deliveries of a period now. Resolves to the number of those that were due later. */
  async sendNow(
    endpointId: string,
    body: BodyOf<'post', `${typeof ENDPOINT}/send-now`>,
    call: CallOptions = {},
  ): Promise<number> {
    const input = { path: { endpointId }, body };
    return (await this.transport.request('post', `${ENDPOINT}/send-now`, input, { repeatable: true, ...call })).sending;
  }

  /** Queues deliveries until `resume`. */
  pause(endpointId: string, call?: CallOptions): Promise<WebhookEndpoint> {
    return this.transport.request('post', `${ENDPOINT}/pause`, { path: { endpointId } }, call);
  }

  resume(endpointId: string, call?: CallOptions): Promise<WebhookEndpoint> {
    return this.transport.request('post', `${ENDPOINT}/resume`, { path: { endpointId } }, call);
  }

  /** Creates a new secret; the old one stays valid for the overlap (default: one day). */
  rotateSecret(
    endpointId: string,
    body: BodyOf<'post', `${typeof ENDPOINT}/rotate-secret`> = {},
    call?: CallOptions,
  ): Promise<WebhookEndpointWithSecret> {
    return this.transport.request('post', `${ENDPOINT}/rotate-secret`, { path: { endpointId }, body }, call);
  }

  /** Sends a signed empty message now. */
  test(endpointId: string, call?: CallOptions): Promise<WebhookTestResult> {
    return this.transport.request('post', `${ENDPOINT}/test`, { path: { endpointId } }, call);
  }
}
