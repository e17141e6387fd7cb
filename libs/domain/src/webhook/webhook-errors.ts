import { refusal } from '../errors.js';

/**
 * Webhooks are not allowed to this URL.
 *
 * @param rule the violated rule; never the URL itself
 */
export class WebhookUrlRefused extends refusal('webhook.url_refused', 'invalid', (rule: string) => ({
  message: 'Webhooks cannot be sent to this address.',
  field: 'url',
  rule,
  next: 'Use a public https address, or ask the operator to allow this one.',
})) {}

/** The signing secret is invalid for the endpoint's format. */
export class WebhookSecretRefused extends refusal('webhook.secret_refused', 'invalid', (rule: string) => ({
  message: 'This signing secret cannot be used.',
  field: 'secret',
  rule,
  next: 'Omit it to have one generated, or send a valid one.',
})) {}

/**
 * The tenant has reached its limit of webhook endpoints.
 *
 * @param most the limit
 */
export class TooManyWebhookEndpoints extends refusal('webhook_endpoint.too_many', 'conflict', (most: number) => ({
  message: 'The tenant has the maximum number of webhook endpoints.',
  field: 'url',
  rule: `must be one of at most ${most} webhook endpoints of a tenant`,
  next: 'Delete an endpoint that is no longer used, or have one endpoint forward messages.',
})) {}

export class WebhookEndpointNotFound extends refusal('webhook_endpoint.not_found', 'not_found', {
  message: 'There is no such webhook endpoint.',
  field: 'endpointId',
  rule: 'must name an endpoint of this tenant',
  next: 'List the endpoints with GET /v1/webhook-endpoints and use an id from there.',
}) {}

export class DeliveryNotFound extends refusal('webhook_delivery.not_found', 'not_found', {
  message: 'There is no such delivery.',
  field: 'deliveryId',
  rule: 'must name a delivery of this endpoint',
  next: "List the endpoint's deliveries and use an id from there.",
}) {}

/** A delivery's bytes are deleted after their retention, so it can no longer be resent. */
export class DeliveryPurged extends refusal('webhook_delivery.purged', 'conflict', {
  message: "The delivery's body has been deleted.",
  field: 'deliveryId',
  rule: 'must name a delivery whose body is still kept (WEBHOOK_BODY_DAYS, or the expiry of the memory)',
  next: "Read the agent's history instead.",
}) {}

/** The endpoint answered 410 and has not been resumed since. */
export class WebhookEndpointDisabled extends refusal('webhook_endpoint.disabled', 'conflict', {
  message: 'The endpoint returned 410 and is disabled.',
  field: 'endpointId',
  rule: 'must name an endpoint that is enabled',
  next: 'Resume the endpoint, then try again.',
}) {}

/** Nothing is sent to a paused endpoint. */
export class WebhookEndpointPaused extends refusal('webhook_endpoint.paused', 'conflict', {
  message: 'The endpoint is paused.',
  field: 'endpointId',
  rule: 'must name an endpoint that is not paused',
  next: 'Resume the endpoint: deliveries that are due are then sent.',
}) {}

/** A delivery was delivered or is parked, so no attempt of it is planned. */
export class DeliveryNotPending extends refusal('webhook_delivery.not_pending', 'conflict', {
  message: 'The delivery is not pending.',
  field: 'deliveryId',
  rule: 'must name a pending delivery',
  next: 'Replay the delivery instead.',
}) {}

/** Returned alike for a link that was modified, has expired or never existed. */
export class HistoryLinkInvalid extends refusal('history_link.invalid', 'forbidden', {
  message: 'This link is invalid or has expired.',
  field: 'signature',
  rule: 'must come from the link of a history webhook that has not expired',
  next: "Read the agent's history with an API key.",
}) {}
