export interface AuthConfig {
  readonly oidc: {
    readonly issuer: string;
    readonly clientId: string | null;
    readonly audience: string | null;
    readonly scopes: readonly string[];
  } | null;
}

/** Authorization code flow with PKCE (RFC 7636). The pending request survives the redirect in session storage. */
const PENDING = 'turnkeeper.oidc';

interface Pending {
  readonly state: string;
  readonly verifier: string;
  readonly returnTo: string;
}

interface Discovery {
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
}

const redirectUri = (): string => `${window.location.origin}/console/signed-in`;

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const random = (): string => base64Url(crypto.getRandomValues(new Uint8Array(32)));

const discover = async (issuer: string): Promise<Discovery> => {
  const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  if (!response.ok) throw new Error(`The issuer answered ${response.status}.`);
  return (await response.json()) as Discovery;
};

type Oidc = NonNullable<AuthConfig['oidc']>;

export const startOidc = async (oidc: Oidc): Promise<void> => {
  const { authorization_endpoint } = await discover(oidc.issuer);
  const pending: Pending = {
    state: random(),
    verifier: random(),
    returnTo: window.location.pathname + window.location.search,
  };
  sessionStorage.setItem(PENDING, JSON.stringify(pending));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(pending.verifier));
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: oidc.clientId ?? '',
    redirect_uri: redirectUri(),
    scope: oidc.scopes.join(' '),
    state: pending.state,
    code_challenge: base64Url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    ...(oidc.audience === null ? {} : { audience: oidc.audience }),
  });
  window.location.assign(`${authorization_endpoint}?${query}`);
};

/** The access token after the redirect, and where the user wanted to go; null if this is not a redirect. */
export const finishOidc = async (oidc: Oidc): Promise<{ token: string; returnTo: string } | null> => {
  if (window.location.pathname !== '/console/signed-in') return null;
  const query = new URLSearchParams(window.location.search);
  const stored = sessionStorage.getItem(PENDING);
  sessionStorage.removeItem(PENDING);
  const refusal = query.get('error');
  if (refusal !== null) throw new Error(query.get('error_description') ?? refusal);
  const code = query.get('code');
  if (stored === null || code === null) return null;
  const pending = JSON.parse(stored) as Pending;
  if (pending.state !== query.get('state')) throw new Error('The sign-in was not started in this tab. Sign in again.');
  const { token_endpoint } = await discover(oidc.issuer);
  const response = await fetch(token_endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: oidc.clientId ?? '',
      redirect_uri: redirectUri(),
      code,
      code_verifier: pending.verifier,
    }),
  });
  if (!response.ok) throw new Error(`The issuer refused the code (${response.status}). Sign in again.`);
  const { access_token: token } = (await response.json()) as { access_token: string };
  return { token, returnTo: pending.returnTo };
};
