import { setTimeout as delay } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import { DeleteMemory, DeleteTenant, ManageKeys, ManageParkedWork, ManageTenants } from '@turnkeeper/application';
import { newApiKeyToken } from '@turnkeeper/platform';
import { TRUST_MS } from '../auth/authenticator.js';
import { KnownLimits } from '../limits/known-limits.js';
import { LimitsModule } from '../limits/limits.module.js';
import { MemoriesModule } from '../memories/memories.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import type { Stores } from '@turnkeeper/runtime';
import { STORES, useCases } from '@turnkeeper/runtime/nest';
import { ACTIVITY } from '../tokens.js';
import { ActivityController } from './activity.controller.js';
import { KeysController } from './keys.controller.js';
import { ParkedWorkController } from './parked-work.controller.js';
import { StreamController } from './stream.controller.js';
import { TenantsController } from './tenants.controller.js';

/** Tenants and their keys, for the operator of the installation. */
@Module({
  imports: [LimitsModule, MemoriesModule, SessionsModule],
  controllers: [ActivityController, TenantsController, KeysController, ParkedWorkController, StreamController],
  providers: [
    ...useCases(ManageTenants),
    { provide: ACTIVITY, inject: [STORES], useFactory: ({ activity }: Stores) => activity },
    {
      provide: DeleteTenant,
      inject: [STORES, DeleteMemory],
      useFactory: (stores: Stores, deleteMemory: DeleteMemory) =>
        new DeleteTenant({ ...stores, deleteMemory, keysForgotten: () => delay(TRUST_MS) }),
    },
    {
      provide: ManageKeys,
      inject: [STORES, KnownLimits],
      useFactory: (stores: Stores, limits: KnownLimits) =>
        new ManageKeys({ ...stores, drawKey: newApiKeyToken, mostKeys: limits.mostOf('keys') }),
    },
    {
      provide: ManageParkedWork,
      inject: [STORES],
      useFactory: ({ parkedWork }: Stores) => new ManageParkedWork(parkedWork),
    },
  ],
})
export class AdminModule {}
