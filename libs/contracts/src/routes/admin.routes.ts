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
import { routesOf } from './route.js';

const route = routesOf('Administration', { scope: 'admin', userData: 'operator' });
const tenants = '/v1/admin/tenants';
const keys = `${tenants}/{tenantId}/keys` as const;

export const createTenant = route('createTenant', 'POST', tenants, {
  summary: 'Create a tenant.',
  body: createTenantBody,
  status: 201,
  location: `${tenants}/{id}`,
  response: tenantView,
  refusals: ['tenant.name_taken'],
});

export const listTenants = route('listTenants', 'GET', tenants, {
  summary: 'List tenants by name.',
  query: listQuery,
  response: listOf(tenantView),
});

export const getTenant = route('getTenant', 'GET', `${tenants}/{tenantId}`, {
  summary: 'Get a tenant.',
  response: tenantView,
  refusals: ['tenant.not_found'],
});

export const changeTenant = route('changeTenant', 'PATCH', `${tenants}/{tenantId}`, {
  summary: "Set a tenant's own limits, which override those of the installation.",
  body: changeTenantBody,
  response: tenantView,
  refusals: ['tenant.not_found'],
});

export const createKey = route('createKey', 'POST', keys, {
  summary: 'Create an API key. The key is shown only once.',
  body: createKeyBody,
  status: 201,
  response: madeKeyView,
  refusals: ['tenant.not_found', 'tenant.too_many_keys', 'key.restricted_admin'],
});

export const deleteTenant = route('deleteTenant', 'DELETE', `${tenants}/{tenantId}`, {
  summary:
    'Delete a tenant with its keys, memories, webhooks, connectors and vendor apps. Repeatable; returns a signed receipt.',
  response: erasureReceiptView,
  refusals: ['tenant.not_found', 'tenant.is_callers'],
});

export const listKeys = route('listKeys', 'GET', keys, {
  summary: "List a tenant's keys, newest first, including revoked and expired ones.",
  query: listQuery,
  response: listOf(keyView),
  refusals: ['tenant.not_found'],
});

export const rotateKey = route('rotateKey', 'POST', `${keys}/{keyId}/rotate`, {
  summary: 'Rotate a key: create one with the same scopes; the old key stays valid for the overlap.',
  body: rotateKeyBody,
  status: 201,
  response: madeKeyView,
  refusals: ['key.not_found', 'key.not_live'],
});

export const revokeKey = route('revokeKey', 'DELETE', `${keys}/{keyId}`, {
  summary: 'Revoke a key. Processes that have cached it accept it for at most two more seconds.',
  status: 204,
  response: null,
  refusals: ['key.not_found'],
});
