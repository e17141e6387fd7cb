import { Module } from '@nestjs/common';
import { BrowseMemory, EraseActor, EraseEvent, EraseSessions } from '@turnkeeper/application';
import type { IngestResources } from '../resources.js';
import type { Stores } from '@turnkeeper/runtime';
import { RESOURCES, STORES, useCases } from '@turnkeeper/runtime/nest';
import { ErasureReceipts } from './erasure-receipts.js';
import { SessionsController } from './sessions.controller.js';

@Module({
  controllers: [SessionsController],
  providers: [
    ...useCases(BrowseMemory, EraseSessions, EraseEvent),
    {
      provide: EraseActor,
      inject: [EraseSessions, STORES],
      useFactory: (eraseSessions: EraseSessions, { keys }: Stores) => new EraseActor(eraseSessions, keys),
    },
    {
      provide: ErasureReceipts,
      inject: [RESOURCES, STORES],
      useFactory: ({ erasureKey, settings }: IngestResources, { clock }: Stores) =>
        new ErasureReceipts(erasureKey, clock, settings.BACKUP_DAYS === 0 ? null : settings.BACKUP_DAYS),
    },
  ],
  exports: [BrowseMemory, ErasureReceipts],
})
export class SessionsModule {}
