import { CaptureMemoryState, ReadMemoryState, RestoreActor } from '@turnkeeper/application';
import type { Feature } from '../feature.js';
import { RollingMemoryController } from './rolling-memory.controller.js';

export const rollingMemoryFeature: Feature = {
  controllers: [RollingMemoryController],
  providers: (stores) => [
    { provide: CaptureMemoryState, useValue: new CaptureMemoryState(stores) },
    { provide: ReadMemoryState, useValue: new ReadMemoryState(stores) },
    { provide: RestoreActor, useValue: new RestoreActor(stores) },
  ],
};
