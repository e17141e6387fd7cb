import { Controller, Get, Inject } from '@nestjs/common';
import type { AuthConfig } from '@turnkeeper/contracts';
import type { Settings } from '@turnkeeper/platform';
import { Public, TakesNoQuery } from './auth.guard.js';
import { APP, type App } from '../composition.js';

const authConfigOf = (
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
  constructor(@Inject(APP) private readonly app: App) {}

  @Get('v1/auth/config')
  @Public()
  @TakesNoQuery()
  get(): AuthConfig {
    return authConfigOf(this.app.settings);
  }
}
