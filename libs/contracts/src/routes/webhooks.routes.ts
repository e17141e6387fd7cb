import { listQuery } from '../http/common.js';
import { listOf } from '../http/paging.js';
import {
  changeWebhookEndpointBody,
  createWebhookEndpointBody,
  listDeliveriesQuery,
  replayDeliveriesBody,
  replayDeliveryBody,
  rotateWebhookSecretBody,
  wholeHistoryQuery,
} from '../http/webhook-endpoints.js';
import {
  replayedView,
  webhookDeliveriesView,
  webhookEndpointView,
  webhookEndpointWithSecretView,
  webhookTestView,
  wholeHistoryView,
} from '../http/webhook-views.js';
import { route } from './route.js';

const tag = 'Webhooks';
const scope = 'webhooks:admin';
const endpoints = '/v1/webhook-endpoints';
const endpoint = `${endpoints}/{endpointId}` as const;

export const createWebhookEndpoint = route({
  id: 'createWebhookEndpoint',
  method: 'POST',
  path: endpoints,
  tag,
  summary: 'Create a webhook endpoint. The secret is shown only once.',
  scope,
  body: createWebhookEndpointBody,
  status: 201,
  location: `${endpoints}/{id}`,
  response: webhookEndpointWithSecretView,
  refusals: ['webhook.url_refused', 'webhook.secret_refused', 'webhook_endpoint.too_many'],
});

export const listWebhookEndpoints = route({
  id: 'listWebhookEndpoints',
  method: 'GET',
  path: endpoints,
  tag,
  summary: 'List webhook endpoints, oldest first.',
  scope,
  query: listQuery,
  status: 200,
  response: listOf(webhookEndpointView),
});

export const getWebhookEndpoint = route({
  id: 'getWebhookEndpoint',
  method: 'GET',
  path: endpoint,
  tag,
  summary: 'Get a webhook endpoint.',
  scope,
  status: 200,
  versioned: true,
  response: webhookEndpointView,
});

export const changeWebhookEndpoint = route({
  id: 'changeWebhookEndpoint',
  method: 'PATCH',
  path: endpoint,
  tag,
  summary: "Update an endpoint's URL, description or events. Pending deliveries go to the new URL.",
  scope,
  body: changeWebhookEndpointBody,
  status: 200,
  versioned: true,
  response: webhookEndpointView,
  refusals: ['webhook.url_refused'],
});

export const deleteWebhookEndpoint = route({
  id: 'deleteWebhookEndpoint',
  method: 'DELETE',
  path: endpoint,
  tag,
  summary: 'Delete an endpoint with its deliveries. Repeatable.',
  scope,
  status: 204,
  response: null,
});

export const pauseWebhookEndpoint = route({
  id: 'pauseWebhookEndpoint',
  method: 'POST',
  path: `${endpoint}/pause`,
  tag,
  summary: 'Pause an endpoint. Deliveries wait until it is resumed.',
  scope,
  status: 200,
  response: webhookEndpointView,
  refusals: ['webhook_endpoint.disabled'],
});

export const resumeWebhookEndpoint = route({
  id: 'resumeWebhookEndpoint',
  method: 'POST',
  path: `${endpoint}/resume`,
  tag,
  summary: 'Resume an endpoint after a pause, or after it has answered 410.',
  scope,
  status: 200,
  response: webhookEndpointView,
});

export const rotateWebhookSecret = route({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: `${endpoint}/rotate-secret`,
  tag,
  summary: "Rotate an endpoint's secret. Both secrets sign until the overlap ends; the new one is shown only once.",
  scope,
  body: rotateWebhookSecretBody,
  status: 200,
  response: webhookEndpointWithSecretView,
  refusals: ['webhook.secret_refused', 'webhook.too_many_secrets'],
});

export const testWebhookEndpoint = route({
  id: 'testWebhookEndpoint',
  method: 'POST',
  path: `${endpoint}/test`,
  tag,
  summary: 'Send a signed test message once, and get the result.',
  scope,
  status: 200,
  response: webhookTestView,
});

export const listWebhookDeliveries = route({
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: `${endpoint}/deliveries`,
  tag,
  summary: "List an endpoint's deliveries, newest first, with every attempt and its reason.",
  scope,
  query: listDeliveriesQuery,
  status: 200,
  response: webhookDeliveriesView,
});

export const replayWebhookDeliveries = route({
  id: 'replayWebhookDeliveries',
  method: 'POST',
  path: `${endpoint}/replay`,
  tag,
  summary: "Replay an endpoint's parked deliveries of a time range, with the same ids and bytes. Repeatable.",
  scope,
  body: replayDeliveriesBody,
  status: 202,
  response: replayedView,
  refusals: ['webhook_endpoint.disabled'],
});

export const replayWebhookDelivery = route({
  id: 'replayWebhookDelivery',
  method: 'POST',
  path: `${endpoint}/deliveries/{deliveryId}/replay`,
  tag,
  summary: 'Replay a parked delivery, with the same id and bytes. Repeatable.',
  scope,
  body: replayDeliveryBody,
  status: 202,
  response: replayedView,
  refusals: ['webhook_delivery.not_found', 'webhook_delivery.purged', 'webhook_endpoint.disabled'],
});

export const getWholeHistory = route({
  id: 'getWholeHistory',
  method: 'GET',
  path: '/v1/agents/{agentId}/whole-history',
  tag,
  summary: "Get an agent's whole history through the link that its history webhook carried.",
  scope: null,
  query: wholeHistoryQuery,
  status: 200,
  response: wholeHistoryView,
  refusals: ['history_link.invalid'],
});
