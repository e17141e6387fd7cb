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
  summary: "Registers where the tenant's webhooks go; the secret is shown this once.",
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
  summary: 'Lists the endpoints, oldest first.',
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
  summary: 'Gives one endpoint.',
  scope,
  status: 200,
  response: webhookEndpointView,
});

export const changeWebhookEndpoint = route({
  id: 'changeWebhookEndpoint',
  method: 'PATCH',
  path: endpoint,
  tag,
  summary: "Changes an endpoint's address, description or events; what is pending goes to the new address.",
  scope,
  body: changeWebhookEndpointBody,
  status: 200,
  response: webhookEndpointView,
  refusals: ['webhook.url_refused'],
});

export const deleteWebhookEndpoint = route({
  id: 'deleteWebhookEndpoint',
  method: 'DELETE',
  path: endpoint,
  tag,
  summary: 'Deletes an endpoint with its deliveries. Repeatable.',
  scope,
  status: 204,
  response: null,
});

export const pauseWebhookEndpoint = route({
  id: 'pauseWebhookEndpoint',
  method: 'POST',
  path: `${endpoint}/pause`,
  tag,
  summary: 'Sends nothing until the endpoint is resumed; what happens meanwhile waits.',
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
  summary: 'Sends again, after a pause or after the endpoint has answered 410.',
  scope,
  status: 200,
  response: webhookEndpointView,
});

export const rotateWebhookSecret = route({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: `${endpoint}/rotate-secret`,
  tag,
  summary: 'Puts a new secret beside the old one; both sign until the overlap ends. It is shown this once.',
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
  summary: 'Sends a signed message that says nothing, once and now, and tells what came of it.',
  scope,
  status: 200,
  response: webhookTestView,
});

export const listWebhookDeliveries = route({
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: `${endpoint}/deliveries`,
  tag,
  summary: 'Lists the deliveries to an endpoint, newest first, with every attempt and its reason.',
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
  summary: 'Sends parked deliveries of a span of time again, with the same ids and bytes; twice sends each once.',
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
  summary: 'Sends one parked delivery again, with the same id and bytes; twice sends it once.',
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
  summary: 'Gives all that an agent heard and said, to whoever holds the link that a history webhook carried.',
  scope: null,
  query: wholeHistoryQuery,
  status: 200,
  response: wholeHistoryView,
  refusals: ['history_link.invalid'],
});
