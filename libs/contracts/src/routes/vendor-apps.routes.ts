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
  summary: "Registers a project at a voice platform: which memory its agents go to, and its requests' secret.",
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
  summary: 'Lists the registered projects, oldest first.',
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
  summary: 'Deletes a registered project; its running agents go on. Repeatable.',
  scope,
  status: 204,
  response: null,
});
