import { z } from 'zod';
import { createWebhookEndpointBody } from '../http/webhook-endpoints.js';
import { createdWebhookEndpointView, webhookDeliveryView, webhookEndpointView } from '../http/webhook-views.js';
import { route } from './route.js';

const tag = 'Webhooks';
const scope = 'webhooks:admin';

export const createWebhookEndpoint = route({
  id: 'createWebhookEndpoint',
  method: 'POST',
  path: '/v1/webhook-endpoints',
  tag,
  summary: "Registers where the tenant's webhooks go; the secret is shown this once.",
  scope,
  body: createWebhookEndpointBody,
  status: 201,
  response: createdWebhookEndpointView,
});

export const listWebhookEndpoints = route({
  id: 'listWebhookEndpoints',
  method: 'GET',
  path: '/v1/webhook-endpoints',
  tag,
  summary: 'Lists the endpoints, oldest first.',
  scope,
  status: 200,
  response: z.array(webhookEndpointView),
});

export const getWebhookEndpoint = route({
  id: 'getWebhookEndpoint',
  method: 'GET',
  path: '/v1/webhook-endpoints/{endpointId}',
  tag,
  summary: 'Gives one endpoint.',
  scope,
  status: 200,
  response: webhookEndpointView,
});

export const deleteWebhookEndpoint = route({
  id: 'deleteWebhookEndpoint',
  method: 'DELETE',
  path: '/v1/webhook-endpoints/{endpointId}',
  tag,
  summary: 'Deletes an endpoint and its deliveries.',
  scope,
  status: 204,
  response: null,
});

export const listWebhookDeliveries = route({
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/v1/webhook-endpoints/{endpointId}/deliveries',
  tag,
  summary: 'Lists the newest deliveries with every attempt and its reason.',
  scope,
  status: 200,
  response: z.array(webhookDeliveryView),
});
