import { Controller, Get, Inject } from '@nestjs/common';
import type { Settings } from '@turnkeeper/platform';
import { Public, TakesNoQuery } from './auth.guard.js';

export const AUTH_CONFIG = Symbol('auth config');

/** What a console needs to sign a user in with the authorization code flow and PKCE, which needs no secret. */
export interface AuthConfig {
  /** Null if no issuer is configured (API keys only). */
  readonly oidc: {
    /** Its endpoints are listed at `<issuer>/.well-known/openid-configuration`. */
    readonly issuer: string;
    /** Null if no client is registered for a console. */
    readonly clientId: string | null;
    /** Required audience of the tokens. */
    readonly audience: string | null;
    /** Scopes to request from the issuer. */
    readonly scopes: readonly string[];
  } | null;
}

export const authConfigOf = (
  settings: Pick<Settings, 'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_AUDIENCE' | 'OIDC_LOGIN_SCOPES'>,
): AuthConfig => {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_AUDIENCE: audience } = settings;
  if (issuer === undefined) return { oidc: null };
  const scopes = settings.OIDC_LOGIN_SCOPES.split(' ').filter((scope) => scope !== '');
  return { oidc: { issuer, clientId: clientId ?? null, audience: audience ?? null, scopes } };
};

/** Public, like the API document: clients call it before sign-in. */
@Controller()
export class AuthConfigController {
  constructor(@Inject(AUTH_CONFIG) private readonly config: AuthConfig) {}

  @Get('v1/auth/config')
  @Public()
  @TakesNoQuery()
  get(): AuthConfig {
    return this.config;
  }
}
