import { listQuery } from '../http/common.js';
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
  summary: 'Makes a tenant.',
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
  summary: 'Lists the tenants, by name.',
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
  summary: 'Gives one tenant.',
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
  summary: "Sets a tenant's rate limit.",
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
  summary: 'Makes an API key, which is shown this once.',
  scope,
  body: createKeyBody,
  status: 201,
  response: madeKeyView,
  refusals: ['tenant.not_found'],
});

export const listKeys = route({
  id: 'listKeys',
  method: 'GET',
  path: keys,
  tag,
  summary: 'Lists the keys of a tenant, newest first, including ended ones.',
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
  summary: 'Makes a key with the same scopes; the old one goes on for the overlap.',
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
  summary: 'Ends a key. Processes that know it take it for two seconds more at most.',
  scope,
  status: 204,
  response: null,
  refusals: ['key.not_found'],
});
