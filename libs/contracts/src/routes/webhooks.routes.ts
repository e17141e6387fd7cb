import { listQuery } from '../http/common.js';
import { listOf } from '../http/paging.js';
import {
  changeWebhookEndpointBody,
  createWebhookEndpointBody,
  listDeliveriesQuery,
  replayDeliveriesBody,
  replayDeliveryBody,
  rotateWebhookSecretBody,
  sendDeliveriesNowBody,
  wholeHistoryQuery,
} from '../http/webhook-endpoints.js';
import {
  replayedView,
  sentNowView,
  webhookDeliveriesView,
  webhookDeliveryContentView,
  webhookEndpointView,
  webhookEndpointWithSecretView,
  webhookTestView,
  wholeHistoryView,
} from '../http/webhook-views.js';
import { routesOf } from './route.js';

const route = routesOf('Webhooks', { scope: 'webhooks:admin', userData: 'operator' });
const endpoints = '/v1/webhook-endpoints';
const endpoint = `${endpoints}/{endpointId}` as const;

export const createWebhookEndpoint = route('createWebhookEndpoint', 'POST', endpoints, {
  summary: 'Create a webhook endpoint. The secret is shown only once.',
  body: createWebhookEndpointBody,
  status: 201,
  location: `${endpoints}/{id}`,
  response: webhookEndpointWithSecretView,
  refusals: ['webhook.url_refused', 'webhook.secret_refused', 'webhook_endpoint.too_many'],
});

export const listWebhookEndpoints = route('listWebhookEndpoints', 'GET', endpoints, {
  summary: 'List webhook endpoints, oldest first.',
  query: listQuery,
  response: listOf(webhookEndpointView),
});

export const getWebhookEndpoint = route('getWebhookEndpoint', 'GET', endpoint, {
  summary: 'Get a webhook endpoint.',
  versioned: true,
  response: webhookEndpointView,
});

export const changeWebhookEndpoint = route('changeWebhookEndpoint', 'PATCH', endpoint, {
  summary: "Update an endpoint's URL, description or events. Pending deliveries go to the new URL.",
  body: changeWebhookEndpointBody,
  versioned: true,
  response: webhookEndpointView,
  refusals: ['webhook.url_refused'],
});

export const deleteWebhookEndpoint = route('deleteWebhookEndpoint', 'DELETE', endpoint, {
  summary: 'Delete an endpoint with its deliveries. Repeatable.',
  status: 204,
  response: null,
});

export const pauseWebhookEndpoint = route('pauseWebhookEndpoint', 'POST', `${endpoint}/pause`, {
  summary: 'Pause an endpoint. Deliveries wait until it is resumed.',
  response: webhookEndpointView,
  refusals: ['webhook_endpoint.disabled'],
});

export const resumeWebhookEndpoint = route('resumeWebhookEndpoint', 'POST', `${endpoint}/resume`, {
  summary: 'Resume an endpoint after a pause, or after it has answered 410.',
  response: webhookEndpointView,
});

export const rotateWebhookSecret = route('rotateWebhookSecret', 'POST', `${endpoint}/rotate-secret`, {
  summary: "Rotate an endpoint's secret. Both secrets sign until the overlap ends; the new one is shown only once.",
  body: rotateWebhookSecretBody,
  response: webhookEndpointWithSecretView,
  refusals: ['webhook.secret_refused', 'webhook.too_many_secrets'],
});

export const testWebhookEndpoint = route('testWebhookEndpoint', 'POST', `${endpoint}/test`, {
  summary: 'Send one signed test message and return the result.',
  response: webhookTestView,
});

export const listWebhookDeliveries = route('listWebhookDeliveries', 'GET', `${endpoint}/deliveries`, {
  summary: "List an endpoint's deliveries, newest first, with every attempt and its reason.",
  query: listDeliveriesQuery,
  response: webhookDeliveriesView,
});

export const getWebhookDelivery = route('getWebhookDelivery', 'GET', `${endpoint}/deliveries/{deliveryId}`, {
  summary: "Get a delivery with its body, and the endpoint's response to each attempt.",
  response: webhookDeliveryContentView,
  refusals: ['webhook_delivery.not_found'],
});

export const replayWebhookDeliveries = route('replayWebhookDeliveries', 'POST', `${endpoint}/replay`, {
  summary: "Replay an endpoint's parked deliveries of a time range, with the same ids and bytes. Repeatable.",
  body: replayDeliveriesBody,
  status: 202,
  response: replayedView,
  refusals: ['webhook_endpoint.disabled'],
});

export const replayWebhookDelivery = route(
  'replayWebhookDelivery',
  'POST',
  `${endpoint}/deliveries/{deliveryId}/replay`,
  {
    summary: 'Replay a parked delivery, with the same id and bytes. Repeatable.',
    body: replayDeliveryBody,
    status: 202,
    response: replayedView,
    refusals: ['webhook_delivery.not_found', 'webhook_delivery.purged', 'webhook_endpoint.disabled'],
  },
);

export const sendWebhookDeliveriesNow = route('sendWebhookDeliveriesNow', 'POST', `${endpoint}/send-now`, {
  summary: "Make an endpoint's pending deliveries of a time range due now, without waiting for their next attempt.",
  body: sendDeliveriesNowBody,
  status: 202,
  response: sentNowView,
  refusals: ['webhook_endpoint.disabled', 'webhook_endpoint.paused'],
});

export const sendWebhookDeliveryNow = route(
  'sendWebhookDeliveryNow',
  'POST',
  `${endpoint}/deliveries/{deliveryId}/send-now`,
  {
    summary: 'Make a pending delivery due now, without waiting for its next attempt.',
    status: 202,
    response: sentNowView,
    refusals: [
      'webhook_delivery.not_found',
      'webhook_delivery.not_pending',
      'webhook_endpoint.disabled',
      'webhook_endpoint.paused',
    ],
  },
);

export const getWholeHistory = routesOf('Webhooks')('getWholeHistory', 'GET', '/v1/agents/{agentId}/whole-history', {
  summary: "Get an agent's whole history with the signed link from its history webhook.",
  scope: null,
  query: wholeHistoryQuery,
  response: wholeHistoryView,
  refusals: ['history_link.invalid'],
});
