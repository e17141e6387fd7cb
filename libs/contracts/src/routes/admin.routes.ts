import { listQuery } from '../http/common.js';
import { erasureReceiptView } from '../http/session-views.js';
import { listOf } from '../http/paging.js';
import {
  changeTenantBody,
  createKeyBody,
  createTenantBody,
  keyView,
  madeKeyView,
  rotateKeyBody,
  tenantView,
} from '../http/tenancy.js';
import { route } from './route.js';

const tag = 'Administration';
const scope = 'admin';
const tenants = '/v1/admin/tenants';
const keys = `${tenants}/{tenantId}/keys` as const;

export const createTenant = route({
  id: 'createTenant',
  method: 'POST',
  path: tenants,
  tag,
  summary: 'Create a tenant.',
  scope,
  body: createTenantBody,
  status: 201,
  location: `${tenants}/{id}`,
  response: tenantView,
  refusals: ['tenant.name_taken'],
});

export const listTenants = route({
  id: 'listTenants',
  method: 'GET',
  path: tenants,
  tag,
  summary: 'List tenants by name.',
  scope,
  query: listQuery,
  status: 200,
  response: listOf(tenantView),
});

export const getTenant = route({
  id: 'getTenant',
  method: 'GET',
  path: `${tenants}/{tenantId}`,
  tag,
  summary: 'Get a tenant.',
  scope,
  status: 200,
  response: tenantView,
  refusals: ['tenant.not_found'],
});

export const changeTenant = route({
  id: 'changeTenant',
  method: 'PATCH',
  path: `${tenants}/{tenantId}`,
  tag,
  summary: "Set a tenant's own limits, which override those of the installation.",
  scope,
  body: changeTenantBody,
  status: 200,
  response: tenantView,
  refusals: ['tenant.not_found'],
});

export const createKey = route({
  id: 'createKey',
  method: 'POST',
  path: keys,
  tag,
  summary: 'Create an API key. The key is shown only once.',
  scope,
  body: createKeyBody,
  status: 201,
  response: madeKeyView,
  refusals: ['tenant.not_found', 'tenant.too_many_keys', 'key.restricted_admin'],
});

export const deleteTenant = route({
  id: 'deleteTenant',
  method: 'DELETE',
  path: `${tenants}/{tenantId}`,
  tag,
  summary:
    'Delete a tenant with its keys, memories, webhooks, connectors and vendor apps. Repeatable; returns a signed receipt.',
  scope,
  status: 200,
  response: erasureReceiptView,
  refusals: ['tenant.not_found', 'tenant.is_callers'],
});

export const listKeys = route({
  id: 'listKeys',
  method: 'GET',
  path: keys,
  tag,
  summary: "List a tenant's keys, newest first, including revoked and expired ones.",
  scope,
  query: listQuery,
  status: 200,
  response: listOf(keyView),
  refusals: ['tenant.not_found'],
});

export const rotateKey = route({
  id: 'rotateKey',
  method: 'POST',
  path: `${keys}/{keyId}/rotate`,
  tag,
  summary: 'Rotate a key: create one with the same scopes; the old key stays valid for the overlap.',
  scope,
  body: rotateKeyBody,
  status: 201,
  response: madeKeyView,
  refusals: ['key.not_found', 'key.not_live'],
});

export const revokeKey = route({
  id: 'revokeKey',
  method: 'DELETE',
  path: `${keys}/{keyId}`,
  tag,
  summary: 'Revoke a key. Processes that have cached it accept it for at most two more seconds.',
  scope,
  status: 204,
  response: null,
  refusals: ['key.not_found'],
});
