import { Module } from '@nestjs/common';
import { ManageConnectors, ReceiveNotice } from '@turnkeeper/application';
import type { Settings } from '@turnkeeper/platform';
import type { Stores } from '@turnkeeper/runtime';
import { SETTINGS, STORES, useCases } from '@turnkeeper/runtime/nest';
import { KnownLimits } from '../limits/known-limits.js';
import { LimitsModule } from '../limits/limits.module.js';
import { PUBLIC_URL } from '../tokens.js';
import { CALLBACK_CONTROLLERS } from './callbacks.controller.js';
import { ConnectorsController } from './connectors.controller.js';

@Module({
  imports: [LimitsModule],
  controllers: [ConnectorsController, ...CALLBACK_CONTROLLERS],
  providers: [
    ...useCases(ReceiveNotice),
    {
      provide: ManageConnectors,
      inject: [STORES, KnownLimits],
      useFactory: (stores: Stores, limits: KnownLimits) =>
        new ManageConnectors({
          ...stores,
          mostConnectors: limits.mostOf('connectors'),
          mostMappings: limits.mostOf('instanceMappings'),
        }),
    },
    {
      provide: PUBLIC_URL,
      inject: [SETTINGS],
      useFactory: (settings: Settings) => (settings.PUBLIC_URL ?? '').replace(/(?<!\/)\/+$/, ''),
    },
  ],
})
export class ConnectorsModule {}
