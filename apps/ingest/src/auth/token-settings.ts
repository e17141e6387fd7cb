import { SCOPES } from '@turnkeeper/contracts';
import type { Settings } from '@turnkeeper/platform';
import type { TokenSettings } from './token-verifier.js';

/** `desk=memory:read+memory:write`: a claim value and the scopes it maps to. */
const scopesFor = (text: string): readonly [string, readonly string[]] => {
  const [value = '', scopes = ''] = text.split('=');
  return [value, scopes.split('+')];
};

type OidcSettings = Pick<
  Settings,
  | 'OIDC_AUDIENCE'
  | 'OIDC_ISSUER'
  | 'OIDC_MAX_TOKEN_SECONDS'
  | 'OIDC_SCOPE_CLAIM'
  | 'OIDC_SCOPE_MAP'
  | 'OIDC_TENANT_CLAIM'
>;

/** Null without an issuer: only API keys are accepted. Throws if the settings contradict each other. */
export const tokenSettings = (settings: OidcSettings): TokenSettings | null => {
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
