import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { Logger, Settings } from '@turnkeeper/platform';
import { Admission } from '../edge/admit-on-headers.js';
import { InFlight } from '../limits/in-flight.js';
import type { IngestResources } from '../resources.js';
import { LimitsModule } from '../limits/limits.module.js';
import { RateLimiter } from '../limits/rate-limiter.js';
import type { Stores } from '@turnkeeper/runtime';
import { LOGGER, RESOURCES, SETTINGS, STORES } from '@turnkeeper/runtime/nest';
import { AccessTokens } from './access-tokens.js';
import { AUTH_CONFIG, AuthConfigController, authConfigOf } from './auth-config.controller.js';
import { AuthGuard } from './auth.guard.js';
import { Authenticator } from './authenticator.js';
import { CallerController } from './caller.controller.js';
import { FailedKeys } from './failed-keys.js';
import { KeyReach } from './key-reach.js';
import { ownersIn } from './owners.js';
import { RuntimeHeaders } from './runtime-headers.js';
import { TokenController } from './token.controller.js';
import { tokenSettings } from './token-settings.js';
import { TokenVerifier } from './token-verifier.js';

/** Admits callers by their headers, and guards every route of the process. */
@Module({
  imports: [LimitsModule],
  controllers: [AuthConfigController, CallerController, TokenController],
  providers: [
    {
      provide: AccessTokens,
      inject: [RESOURCES],
      useFactory: ({ erasureKey }: IngestResources) => new AccessTokens(erasureKey),
    },
    {
      provide: Authenticator,
      inject: [SETTINGS, STORES, LOGGER, AccessTokens],
      useFactory: (
        settings: Settings,
        { keys, tenants, clock }: Stores,
        logger: Logger,
        accessTokens: AccessTokens,
      ) => {
        const issuer = tokenSettings(settings);
        const tokens = issuer === null ? null : new TokenVerifier(issuer, tenants, clock);
        const onTouchFailed = (error: unknown): void => logger.warn({ err: error }, 'key.not_touched');
        return new Authenticator(keys, clock, { tokens, accessTokens, onTouchFailed });
      },
    },
    {
      provide: FailedKeys,
      inject: [SETTINGS],
      useFactory: (settings: Settings) => new FailedKeys(settings.AUTH_FAILURES_PER_MINUTE),
    },
    {
      provide: Admission,
      inject: [Authenticator, RateLimiter, FailedKeys, InFlight],
      useFactory: (...parts: ConstructorParameters<typeof Admission>) => new Admission(...parts),
    },
    { provide: AUTH_CONFIG, inject: [SETTINGS], useFactory: authConfigOf },
    { provide: KeyReach, inject: [STORES], useFactory: (stores: Stores) => new KeyReach(ownersIn(stores)) },
    {
      provide: RuntimeHeaders,
      inject: [STORES, SETTINGS],
      useFactory: (stores: Stores, settings: Settings) =>
        new RuntimeHeaders(ownersIn(stores), settings.RUNTIME_HEADERS === 'required'),
    },
    { provide: APP_GUARD, useClass: AuthGuard },
  ],
  exports: [Authenticator],
})
export class AuthModule {}
