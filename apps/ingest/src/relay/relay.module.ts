import { Global, Module } from '@nestjs/common';
import { RESOURCES } from '@turnkeeper/runtime/nest';
import type { IngestResources } from '../resources.js';
import { APPENDED, STREAM_RECONCILER } from '../tokens.js';

/** Tells the relay of appended events. Global, because most routes append. */
@Global()
@Module({
  providers: [
    {
      provide: APPENDED,
      inject: [RESOURCES],
      useFactory:
        ({ relay }: IngestResources) =>
        () =>
          relay.notify(),
    },
    {
      provide: STREAM_RECONCILER,
      inject: [RESOURCES],
      useFactory: ({ reconciler }: IngestResources) => reconciler,
    },
  ],
  exports: [APPENDED, STREAM_RECONCILER],
})
export class RelayModule {}
