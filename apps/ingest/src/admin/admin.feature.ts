import { ManageKeys, ManageParkedWork, ManageTenants } from '@turnkeeper/application';
import { newApiKeyToken } from '@turnkeeper/platform';
import type { Feature } from '../feature.js';
import { STREAM_RECONCILER } from '../tokens.js';
import { ParkedWorkController } from './parked-work.controller.js';
import { StreamController } from './stream.controller.js';
import { KeysController } from './keys.controller.js';
import { TenantsController } from './tenants.controller.js';

/** Tenants and their keys, for the operator of the installation. */
export const adminFeature: Feature = {
  controllers: [TenantsController, KeysController, ParkedWorkController, StreamController],
  providers: (stores, { reconciler, republish }, limits) => [
    { provide: ManageTenants, useValue: new ManageTenants(stores) },
    {
      provide: ManageKeys,
      useValue: new ManageKeys({ ...stores, drawKey: newApiKeyToken, mostKeys: limits.mostOf('keys') }),
    },
    { provide: ManageParkedWork, useValue: new ManageParkedWork({ parked: stores.parkedWork, republish }) },
    { provide: STREAM_RECONCILER, useValue: reconciler },
  ],
};
