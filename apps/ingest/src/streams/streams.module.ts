import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Module, type BeforeApplicationShutdown } from '@nestjs/common';
import { FollowSession, ReadMemoryState, SessionWatch } from '@turnkeeper/application';
import { allowsScope } from '@turnkeeper/contracts';
import { every, type Logger, type Settings } from '@turnkeeper/platform';
import type { Stores } from '@turnkeeper/runtime';
import { LOGGER, SETTINGS, STORES } from '@turnkeeper/runtime/nest';
import type { FastifyRequest } from 'fastify';
import { TooManyStreams, Unauthenticated } from '../auth/auth-errors.js';
import { AuthModule } from '../auth/auth.module.js';
import { Authenticator } from '../auth/authenticator.js';
import type { Admitted } from '../edge/admit-on-headers.js';
import { InFlight } from '../limits/in-flight.js';
import { EventStreams } from './event-streams.js';
import { StreamsController } from './streams.controller.js';

/** Server-sent events. */
@Module({
  imports: [AuthModule],
  controllers: [StreamsController],
  providers: [
    {
      provide: FollowSession,
      inject: [STORES, LOGGER],
      useFactory: (stores: Stores, logger: Logger) =>
        new FollowSession({
          ...stores,
          readMemoryState: new ReadMemoryState(stores),
          watch: new SessionWatch({
            ...stores,
            pause: (ms) => pause(ms),
            onFailed: (error) => logger.warn({ err: error }, 'event_streams.not_looked'),
          }),
        }),
    },
    {
      provide: EventStreams,
      inject: [SETTINGS, Authenticator, LOGGER],
      useFactory: ({ TENANT_MAX_EVENT_STREAMS: most }: Settings, authenticator: Authenticator, logger: Logger) =>
        new EventStreams({
          slots: new InFlight(
            () => most,
            () => new TooManyStreams(),
          ),
          // Not from the cache: its two seconds and the time between two checks would add up.
          stillAllowed: ({ headers, caller }: FastifyRequest & Admitted) =>
            authenticator.lookUp(headers.authorization ?? '', 'shared').then(
              (now) => now.tenantId === caller?.tenantId && allowsScope(now.scopes, 'memory:read'),
              (error: unknown) => {
                if (error instanceof Unauthenticated) return false;
                throw error;
              },
            ),
          logger,
          every,
        }),
    },
  ],
})
export class StreamsModule implements BeforeApplicationShutdown {
  constructor(@Inject(EventStreams) private readonly streams: EventStreams) {}

  /** Nest calls this before it closes the server, which waits for responses in progress. */
  beforeApplicationShutdown(): void {
    this.streams.closeAll();
  }
}
