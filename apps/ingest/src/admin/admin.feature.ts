import { ManageKeys, ManageTenants } from '@turnkeeper/application';
import { newApiKeyToken } from '@turnkeeper/platform';
import type { Feature } from '../feature.js';
import { KeysController } from './keys.controller.js';
import { TenantsController } from './tenants.controller.js';

/** Tenants and their keys: for the installation's operator. */
export const adminFeature: Feature = {
  controllers: [TenantsController, KeysController],
  providers: (stores) => [
    { provide: ManageTenants, useValue: new ManageTenants(stores) },
    { provide: ManageKeys, useValue: new ManageKeys({ ...stores, drawKey: newApiKeyToken }) },
  ],
};
