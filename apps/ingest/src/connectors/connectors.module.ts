import { Module } from '@nestjs/common';
import { ManageConnectors, ReceiveNotice } from '@turnkeeper/application';
import type { Settings } from '@turnkeeper/platform';
import { SETTINGS, useCases } from '@turnkeeper/runtime/nest';
import { PUBLIC_URL } from '../tokens.js';
import { CALLBACK_CONTROLLERS } from './callbacks.controller.js';
import { ConnectorsController } from './connectors.controller.js';

@Module({
  controllers: [ConnectorsController, ...CALLBACK_CONTROLLERS],
  providers: [
    ...useCases(ManageConnectors, ReceiveNotice),
    {
      provide: PUBLIC_URL,
      inject: [SETTINGS],
      useFactory: (settings: Settings) => (settings.PUBLIC_URL ?? '').replace(/(?<!\/)\/+$/, ''),
    },
  ],
})
export class ConnectorsModule {}
