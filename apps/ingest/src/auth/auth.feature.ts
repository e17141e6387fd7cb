import { APP_GUARD } from '@nestjs/core';
import { SCOPES } from '@turnkeeper/contracts';
import type { Feature } from '../feature.js';
import { Admission } from '../edge/admit-on-headers.js';
import { AuthGuard } from './auth.guard.js';
import { Authenticator } from './authenticator.js';
import { FailedKeys } from './failed-keys.js';
import { InFlight } from './in-flight.js';
import { ownersIn } from './owners.js';
import { RateLimiter } from '../limits/rate-limiter.js';
import { CallerController } from './caller.controller.js';
import { AUTH_CONFIG, AuthConfigController, authConfigOf } from './auth-config.controller.js';
import { KnownLimits } from '../limits/known-limits.js';
import { DueWorkGate } from '../limits/due-work.js';
import { KeyReach } from './key-reach.js';
import { RuntimeHeaders } from './runtime-headers.js';
import { TokenVerifier, type TokenSettings } from './token-verifier.js';

export const authFeature: Feature = {
  controllers: [AuthConfigController, CallerController],
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
      { provide: AUTH_CONFIG, useValue: authConfigOf(settings) },
      { provide: KeyReach, useValue: new KeyReach(ownersIn(stores)) },
      {
        provide: RuntimeHeaders,
        useValue: new RuntimeHeaders(ownersIn(stores), settings.RUNTIME_HEADERS === 'required'),
      },
      { provide: APP_GUARD, useClass: AuthGuard },
    ];
  },
};

/** `desk=memory:read+memory:write`: a claim value and the scopes it maps to. */
const scopesFor = (text: string): readonly [string, readonly string[]] => {
  const [value = '', scopes = ''] = text.split('=');
  return [value, scopes.split('+')];
};

const tokenSettings = (settings: {
  readonly OIDC_ISSUER?: string | undefined;
  readonly OIDC_AUDIENCE?: string | undefined;
  readonly OIDC_TENANT_CLAIM: string;
  readonly OIDC_MAX_TOKEN_SECONDS: number;
  readonly OIDC_SCOPE_CLAIM?: string | undefined;
  readonly OIDC_SCOPE_MAP: readonly string[];
}): TokenSettings | null => {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience, OIDC_TENANT_CLAIM: tenantClaim } = settings;
  if (issuer === undefined) return null;
  // Reject tokens issued for another service.
  if (audience === undefined) throw new Error('OIDC_AUDIENCE must be set where OIDC_ISSUER is.');
  const scopeMap = new Map(settings.OIDC_SCOPE_MAP.map(scopesFor));
  const unknown = [...scopeMap.values()].flat().filter((scope) => !SCOPES.some((known) => known === scope));
  if (unknown.length > 0) throw new Error(`OIDC_SCOPE_MAP names unknown scopes: ${unknown.join(', ')}.`);
  const { OIDC_MAX_TOKEN_SECONDS: maxTokenSeconds, OIDC_SCOPE_CLAIM: scopeClaim } = settings;
  return { issuer, audience, tenantClaim, maxTokenSeconds, scopeClaim, scopeMap };
};
