import { setTimeout as delay } from 'node:timers/promises';
import { DeleteMemory, DeleteTenant, ManageKeys, ManageParkedWork, ManageTenants } from '@turnkeeper/application';
import { newApiKeyToken } from '@turnkeeper/platform';
import { TRUST_MS } from '../auth/authenticator.js';
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
      provide: DeleteTenant,
      useValue: new DeleteTenant({
        ...stores,
        deleteMemory: new DeleteMemory(stores),
        keysForgotten: () => delay(TRUST_MS),
      }),
    },
    {
      provide: ManageKeys,
      useValue: new ManageKeys({ ...stores, drawKey: newApiKeyToken, mostKeys: limits.mostOf('keys') }),
    },
    { provide: ManageParkedWork, useValue: new ManageParkedWork({ parked: stores.parkedWork, republish }) },
    { provide: STREAM_RECONCILER, useValue: reconciler },
  ],
};
