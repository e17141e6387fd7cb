import { BrowseMemory, EraseActor, EraseEvent, EraseSessions } from '@turnkeeper/application';
import type { Feature } from '../feature.js';
import { ErasureReceipts } from './erasure-receipts.js';
import { SessionsController } from './sessions.controller.js';

export const sessionsFeature: Feature = {
  controllers: [SessionsController],
  providers: (stores, { settings, erasureKey }) => [
    { provide: BrowseMemory, useValue: new BrowseMemory(stores) },
    { provide: EraseSessions, useValue: new EraseSessions(stores) },
    { provide: EraseActor, useValue: new EraseActor(new EraseSessions(stores), stores.keys) },
    {
      provide: ErasureReceipts,
      useValue: new ErasureReceipts(erasureKey, stores.clock, settings.BACKUP_DAYS === 0 ? null : settings.BACKUP_DAYS),
    },
    { provide: EraseEvent, useValue: new EraseEvent(stores) },
  ],
};
