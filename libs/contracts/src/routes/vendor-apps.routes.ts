import { z } from 'zod';
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
  status: 200,
  response: z.array(vendorAppView),
});

export const deleteVendorApp = route({
  id: 'deleteVendorApp',
  method: 'DELETE',
  path,
  tag,
  summary: 'Forgets a project; its running agents go on.',
  scope,
  status: 204,
  response: null,
  refusals: ['vendor_app.not_found'],
});
