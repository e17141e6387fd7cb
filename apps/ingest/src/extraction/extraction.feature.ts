import { setTimeout as pause } from 'node:timers/promises';
import { AwaitExtraction, ParkedWindows, ReadSessionExtraction } from '@turnkeeper/application';
import type { Feature } from '../feature.js';
import { ServerStopping } from '../http/server-stopping.js';
import { SessionExtractionController } from './session-extraction.controller.js';

export const extractionFeature: Feature = {
  controllers: [SessionExtractionController],
  providers: (stores, { closing }) => [
    { provide: ReadSessionExtraction, useValue: new ReadSessionExtraction(stores) },
    {
      provide: AwaitExtraction,
      useValue: new AwaitExtraction({
        ...stores,
        monotonicMs: () => performance.now(),
        pause: (ms) =>
          pause(ms, undefined, { signal: closing.signal }).catch(() => {
            throw new ServerStopping();
          }),
      }),
    },
    { provide: ParkedWindows, useValue: new ParkedWindows(stores) },
  ],
};
