import { listQuery } from '../http/common.js';
import { listOf } from '../http/paging.js';
import { vendorAppBody, vendorAppView } from '../http/vendor-apps.js';
import { route } from './route.js';

const tag = 'Vendor apps';
const scope = 'vendors:admin';
const path = '/v1/vendor-apps/{vendor}/{appId}';

export const putVendorApp = route({
  id: 'putVendorApp',
  method: 'PUT',
  path,
  tag,
  summary: "Register a voice platform's project: the memory of its agents, and the secret of its requests.",
  scope,
  body: vendorAppBody,
  status: 200,
  response: vendorAppView,
  refusals: ['vendor_app.taken', 'vendor_app.secret_missing'],
});

export const listVendorApps = route({
  id: 'listVendorApps',
  method: 'GET',
  path: '/v1/vendor-apps',
  tag,
  summary: 'List registered projects, oldest first.',
  scope,
  query: listQuery,
  status: 200,
  response: listOf(vendorAppView),
});

export const deleteVendorApp = route({
  id: 'deleteVendorApp',
  method: 'DELETE',
  path,
  tag,
  summary: 'Delete a registered project. Its running agents continue. Repeatable.',
  scope,
  status: 204,
  response: null,
});
