import { APP_GUARD } from '@nestjs/core';
import type { Feature } from '../feature.js';
import { Admission } from '../edge/admit-on-headers.js';
import { AuthGuard } from './auth.guard.js';
import { Authenticator } from './authenticator.js';
import { FailedKeys } from './failed-keys.js';
import { InFlight } from './in-flight.js';
import { ownersIn } from './owners.js';
import { RateLimiter } from '../limits/rate-limiter.js';
import { KnownLimits } from '../limits/known-limits.js';
import { DueWorkGate } from '../limits/due-work.js';
import { RuntimeHeaders } from './runtime-headers.js';
import { TokenVerifier, type TokenSettings } from './token-verifier.js';

export const authFeature: Feature = {
  controllers: [],
  providers: (stores, { settings, logger }, limits) => {
    const { keys, tenants, clock } = stores;
    const issuer = tokenSettings(settings);
    const tokens = issuer === null ? null : new TokenVerifier(issuer, tenants, clock);
    const onTouchFailed = (error: unknown): void => logger.warn({ err: error }, 'key.not_touched');
    const authenticator = new Authenticator(keys, clock, tokens, onTouchFailed);
    const onLeaseFailed = (error: unknown): void => logger.warn({ err: error }, 'rate_budgets.not_leased');
    const rateLimiter = new RateLimiter(limits, stores.rateBudgets, stores.ids.next(), onLeaseFailed);
    const failedKeys = new FailedKeys(settings.AUTH_FAILURES_PER_MINUTE);
    const inFlight = new InFlight((tenantId) => limits.of(tenantId).requestsInFlight);
    return [
      { provide: KnownLimits, useValue: limits },
      { provide: DueWorkGate, useValue: new DueWorkGate(limits, stores.usage) },
      { provide: RateLimiter, useValue: rateLimiter },
      { provide: InFlight, useValue: inFlight },
      { provide: Admission, useValue: new Admission(authenticator, rateLimiter, failedKeys, inFlight) },
      {
        provide: RuntimeHeaders,
        useValue: new RuntimeHeaders(ownersIn(stores), settings.RUNTIME_HEADERS === 'required'),
      },
      { provide: APP_GUARD, useClass: AuthGuard },
    ];
  },
};

const tokenSettings = (settings: {
  readonly OIDC_ISSUER?: string | undefined;
  readonly OIDC_AUDIENCE?: string | undefined;
  readonly OIDC_TENANT_CLAIM: string;
}): TokenSettings | null => {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience, OIDC_TENANT_CLAIM: tenantClaim } = settings;
  if (issuer === undefined) return null;
  // A token for another service must not open this one.
  if (audience === undefined) throw new Error('OIDC_AUDIENCE must be set where OIDC_ISSUER is.');
  return { issuer, audience, tenantClaim };
};
