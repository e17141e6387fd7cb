import { listOf, listQuery, route } from '@turnkeeper/contracts';
import {
  changeConnectorBody,
  connectorView,
  createConnectorBody,
  listMappingsQuery,
  listNoticesQuery,
  mapInstanceBody,
  mappingsView,
  noticesView,
  retriedView,
  rotateConnectorSecretBody,
} from './connector-bodies.js';

const admin = { tag: 'Connectors', scope: 'vendors:admin', userData: 'operator' } as const;
const connectors = '/v1/connectors';
const connector = `${connectors}/{connectorId}` as const;

export const createConnector = route({
  id: 'createConnector',
  method: 'POST',
  path: connectors,
  ...admin,
  summary: "Create a connector for a voice vendor's callbacks: the memory that stores them, and how they are signed.",
  body: createConnectorBody,
  status: 201,
  location: `${connectors}/{id}`,
  response: connectorView,
  refusals: ['memory.not_found', 'tenant.too_many_connectors'],
});

export const listConnectors = route({
  id: 'listConnectors',
  method: 'GET',
  path: connectors,
  ...admin,
  summary: 'List connectors, oldest first.',
  query: listQuery,
  status: 200,
  response: listOf(connectorView),
});

export const getConnector = route({
  id: 'getConnector',
  method: 'GET',
  path: connector,
  ...admin,
  summary: 'Get a connector.',
  status: 200,
  response: connectorView,
});

export const changeConnector = route({
  id: 'changeConnector',
  method: 'PATCH',
  path: connector,
  ...admin,
  summary: 'Update a connector: its description, and the templates for actor and session of later calls.',
  body: changeConnectorBody,
  status: 200,
  response: connectorView,
});

export const deleteConnector = route({
  id: 'deleteConnector',
  method: 'DELETE',
  path: connector,
  ...admin,
  summary: 'Delete a connector. Its callbacks are rejected from now on; stored events are kept. Repeatable.',
  status: 204,
  response: null,
});

export const rotateConnectorSecret = route({
  id: 'rotateConnectorSecret',
  method: 'POST',
  path: `${connector}/rotate-secret`,
  ...admin,
  summary: "Rotate a connector's secret: the new and the old one are accepted until the overlap ends.",
  body: rotateConnectorSecretBody,
  status: 200,
  response: connectorView,
  refusals: ['webhook.too_many_secrets'],
});

export const mapConnectorInstance = route({
  id: 'mapConnectorInstance',
  method: 'POST',
  path: `${connector}/instances`,
  ...admin,
  summary: "Map a ZEGOCLOUD agent instance to an actor and a session, instead of the connector's templates.",
  body: mapInstanceBody,
  status: 204,
  response: null,
  refusals: ['tenant.too_many_mappings'],
});

export const listInstanceMappings = route({
  id: 'listInstanceMappings',
  method: 'GET',
  path: `${connector}/instances`,
  ...admin,
  summary: 'List where a ZEGOCLOUD agent instance was mapped to: the current mapping first, then the ones it replaced.',
  query: listMappingsQuery,
  status: 200,
  response: mappingsView,
});

export const listConnectorNotices = route({
  id: 'listConnectorNotices',
  method: 'GET',
  path: `${connector}/notices`,
  ...admin,
  summary: 'List received callbacks, newest first, with their outcome.',
  query: listNoticesQuery,
  status: 200,
  response: noticesView,
});

export const retryConnectorNotices = route({
  id: 'retryConnectorNotices',
  method: 'POST',
  path: `${connector}/notices/retry`,
  ...admin,
  summary: "Process a connector's parked callbacks again.",
  status: 202,
  response: retriedView,
});
