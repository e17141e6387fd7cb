import { BrowseMemory, EraseEvent, EraseSessions } from '@turnkeeper/application';
import type { Feature } from '../feature.js';
import { SessionsController } from './sessions.controller.js';

export const sessionsFeature: Feature = {
  controllers: [SessionsController],
  providers: (stores) => [
    { provide: BrowseMemory, useValue: new BrowseMemory(stores) },
    { provide: EraseSessions, useValue: new EraseSessions(stores) },
    { provide: EraseEvent, useValue: new EraseEvent(stores) },
  ],
};
