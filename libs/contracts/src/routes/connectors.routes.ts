import { z } from 'zod';
import {
  changeConnectorBody,
  connectorView,
  createConnectorBody,
  listNoticesQuery,
  mapInstanceBody,
  noticesView,
  receivedView,
  retriedView,
  rotateConnectorSecretBody,
  vendorBody,
} from '../http/connectors.js';
import { listQuery } from '../http/common.js';
import { listOf } from '../http/paging.js';
import { route, VENDOR_BODY_BYTES } from './route.js';

const tag = 'Connectors';
const scope = 'vendors:admin';
const connectors = '/v1/connectors';
const connector = `${connectors}/{connectorId}` as const;

export const createConnector = route({
  id: 'createConnector',
  method: 'POST',
  path: connectors,
  tag,
  summary: "Create a connector for a voice vendor's callbacks: the memory that stores them, and how they are signed.",
  scope,
  body: createConnectorBody,
  status: 201,
  location: `${connectors}/{id}`,
  response: connectorView,
  refusals: ['memory.not_found'],
});

export const listConnectors = route({
  id: 'listConnectors',
  method: 'GET',
  path: connectors,
  tag,
  summary: 'List connectors, oldest first.',
  scope,
  query: listQuery,
  status: 200,
  response: listOf(connectorView),
});

export const getConnector = route({
  id: 'getConnector',
  method: 'GET',
  path: connector,
  tag,
  summary: 'Get a connector.',
  scope,
  status: 200,
  response: connectorView,
});

export const changeConnector = route({
  id: 'changeConnector',
  method: 'PATCH',
  path: connector,
  tag,
  summary: 'Update a connector: its description, and the templates for actor and session of later calls.',
  scope,
  body: changeConnectorBody,
  status: 200,
  response: connectorView,
});

export const deleteConnector = route({
  id: 'deleteConnector',
  method: 'DELETE',
  path: connector,
  tag,
  summary: 'Delete a connector. Its callbacks are refused from now on; stored events stay. Repeatable.',
  scope,
  status: 204,
  response: null,
});

export const rotateConnectorSecret = route({
  id: 'rotateConnectorSecret',
  method: 'POST',
  path: `${connector}/rotate-secret`,
  tag,
  summary: "Rotate a connector's secret: the new and the old one are accepted until the overlap ends.",
  scope,
  body: rotateConnectorSecretBody,
  status: 200,
  response: connectorView,
  refusals: ['webhook.too_many_secrets'],
});

export const mapConnectorInstance = route({
  id: 'mapConnectorInstance',
  method: 'POST',
  path: `${connector}/instances`,
  tag,
  summary: "Map a ZEGOCLOUD agent instance to an actor and a session, instead of the connector's templates.",
  scope,
  body: mapInstanceBody,
  status: 204,
  response: null,
});

export const listConnectorNotices = route({
  id: 'listConnectorNotices',
  method: 'GET',
  path: `${connector}/notices`,
  tag,
  summary: 'List received callbacks, newest first, with their outcome.',
  scope,
  query: listNoticesQuery,
  status: 200,
  response: noticesView,
});

export const retryConnectorNotices = route({
  id: 'retryConnectorNotices',
  method: 'POST',
  path: `${connector}/notices/retry`,
  tag,
  summary: "Process a connector's parked callbacks again.",
  scope,
  status: 202,
  response: retriedView,
});

const callbackTag = "Vendors' callbacks";

export const receiveAgoraNotice = route({
  id: 'receiveAgoraNotice',
  method: 'POST',
  path: '/connectors/agora/{connectorId}',
  tag: callbackTag,
  summary: 'Receive a notification from Agora. The signature over the raw body is the credential.',
  scope: null,
  rawBody: true,
  bodyBytes: VENDOR_BODY_BYTES,
  headers: {
    'Agora-Signature': z.string().optional().describe('HMAC-SHA1 over the raw body, hex.'),
    'Agora-Signature-V2': z.string().optional().describe('HMAC-SHA256 over the raw body, hex.'),
  },
  body: vendorBody,
  status: 200,
  response: receivedView,
  refusals: ['connector.not_found', 'connector.signature_invalid'],
});

export const receiveZegoCallback = route({
  id: 'receiveZegoCallback',
  method: 'POST',
  path: '/connectors/zego/{connectorId}',
  tag: callbackTag,
  summary: 'Receive a callback from ZEGOCLOUD. The signature is the credential, once and within 10 minutes.',
  scope: null,
  rawBody: true,
  bodyBytes: VENDOR_BODY_BYTES,
  body: vendorBody,
  status: 200,
  response: receivedView,
  refusals: ['connector.not_found', 'connector.signature_invalid', 'connector.signature_stale'],
});
