import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Module, type BeforeApplicationShutdown } from '@nestjs/common';
import { AwaitExtraction, ExtractionStatus, ParkedWindows, ReadSessionExtraction } from '@turnkeeper/application';
import { ServerStopping } from '../http/server-stopping.js';
import type { Stores } from '@turnkeeper/runtime';
import { STORES, useCases } from '@turnkeeper/runtime/nest';
import { ExtractionController } from './progress.controller.js';
import { SessionExtractionController } from './session-extraction.controller.js';

/** Aborted when the server closes: pending long polls are then rejected. */
const CLOSING = Symbol('closing');

@Module({
  controllers: [ExtractionController, SessionExtractionController],
  providers: [
    ...useCases(ExtractionStatus, ReadSessionExtraction, ParkedWindows),
    { provide: CLOSING, useFactory: () => new AbortController() },
    {
      provide: AwaitExtraction,
      inject: [STORES, CLOSING],
      useFactory: (stores: Stores, { signal }: AbortController) =>
        new AwaitExtraction({
          ...stores,
          monotonicMs: () => performance.now(),
          pause: (ms) =>
            pause(ms, undefined, { signal }).catch(() => {
              throw new ServerStopping();
            }),
        }),
    },
  ],
  exports: [AwaitExtraction],
})
export class ExtractionModule implements BeforeApplicationShutdown {
  constructor(@Inject(CLOSING) private readonly closing: AbortController) {}

  /** Nest calls this before it closes the server, which waits for requests in flight. */
  beforeApplicationShutdown(): void {
    this.closing.abort();
  }
}
