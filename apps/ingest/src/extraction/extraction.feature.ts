import { setTimeout as pause } from 'node:timers/promises';
import { AwaitExtraction, ParkedWindows, ReadSessionExtraction } from '@turnkeeper/application';
import type { Feature } from '../feature.js';
import { SessionExtractionController } from './session-extraction.controller.js';

export const extractionFeature: Feature = {
  controllers: [SessionExtractionController],
  providers: (stores) => [
    { provide: ReadSessionExtraction, useValue: new ReadSessionExtraction(stores) },
    {
      provide: AwaitExtraction,
      useValue: new AwaitExtraction({ ...stores, pause: (ms) => pause(ms) }),
    },
    { provide: ParkedWindows, useValue: new ParkedWindows(stores) },
  ],
};
