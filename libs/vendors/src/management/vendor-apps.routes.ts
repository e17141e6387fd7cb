import { listOf, listQuery, route } from '@turnkeeper/contracts';
import { z } from 'zod';
import { APP_VENDORS } from '../vendors.js';
import { vendorAppBody, vendorAppView } from './vendor-app-bodies.js';

const admin = { tag: 'Vendor apps', scope: 'vendors:admin', userData: 'operator' } as const;
const pathSchemas = {
  vendor: z.enum(APP_VENDORS, `must be ${APP_VENDORS.join(' or ')}`),
} as const;
const path = '/v1/vendor-apps/{vendor}/{appId}';

export const putVendorApp = route({
  id: 'putVendorApp',
  method: 'PUT',
  path,
  pathSchemas,
  ...admin,
  summary: "Register a voice platform's project: the memory of its agents, and the secret of its requests.",
  body: vendorAppBody,
  status: 200,
  response: vendorAppView,
  refusals: ['vendor_app.taken', 'vendor_app.secret_missing', 'tenant.too_many_connectors'],
});

export const listVendorApps = route({
  id: 'listVendorApps',
  method: 'GET',
  path: '/v1/vendor-apps',
  ...admin,
  summary: 'List registered projects, oldest first.',
  query: listQuery,
  status: 200,
  response: listOf(vendorAppView),
});

export const deleteVendorApp = route({
  id: 'deleteVendorApp',
  method: 'DELETE',
  path,
  pathSchemas,
  ...admin,
  summary: 'Delete a registered project. Its running agents continue. Repeatable.',
  status: 204,
  response: null,
});
