import { createHash, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const AUDIENCE = 'turnkeeper';

type Claims = Readonly<Record<string, unknown>>;

/** A key pair; the issuer can publish its public half. */
export interface IssuerKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly jwk: object;
}

export const drawIssuerKey = (kid: string = randomUUID()): IssuerKey => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { kid, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' } };
};

/** An OpenID Connect issuer on loopback, independent of our code: it publishes keys and signs any claims. */
export interface TokenIssuer {
  readonly url: string;
  readonly audience: string;
  /** Replaces the published keys. */
  publish(...keys: readonly IssuerKey[]): void;
  /** From now on this public client can sign in with a code and PKCE; its user agrees at once. */
  register(client: PublicClient): void;
  /** Valid claims for the tenant, with overrides. */
  claims(tenantId: string, changes?: Claims): Claims;
  close(): Promise<void>;
}

interface PublicClient {
  readonly clientId: string;
  readonly redirectUri: string;
  /** Makes the access token of a sign-in. */
  readonly token: () => string;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** The two endpoints of a sign-in with a code (RFC 6749, 4.1) and PKCE with S256 (RFC 7636). Codes work once. */
class CodeFlow {
  client: PublicClient | null = null;
  private readonly challenges = new Map<string, string>();

  authorize(query: URLSearchParams, response: ServerResponse): void {
    const challenge = query.get('code_challenge') ?? '';
    const isValid =
      query.get('response_type') === 'code' &&
      query.get('client_id') === this.client?.clientId &&
      query.get('redirect_uri') === this.client?.redirectUri &&
      query.get('code_challenge_method') === 'S256' &&
      challenge !== '';
    if (!isValid) {
      response.writeHead(400).end();
      return;
    }
    const code = randomUUID();
    this.challenges.set(code, challenge);
    const answer = new URLSearchParams({ code, state: query.get('state') ?? '' });
    response.writeHead(302, { location: `${query.get('redirect_uri')}?${answer}` }).end();
  }

  async token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString('utf8'));
    const code = form.get('code') ?? '';
    const isValid =
      form.get('grant_type') === 'authorization_code' &&
      form.get('client_id') === this.client?.clientId &&
      form.get('redirect_uri') === this.client?.redirectUri &&
      this.challenges.get(code) === sha256(form.get('code_verifier') ?? '');
    this.challenges.delete(code);
    response.writeHead(isValid ? 200 : 400, { 'content-type': 'application/json', ...CORS });
    response.end(JSON.stringify(isValid ? { access_token: this.client?.token(), token_type: 'Bearer' } : {}));
  }
}

const CORS = { 'access-control-allow-origin': '*' };

export const startTokenIssuer = async (): Promise<TokenIssuer> => {
  let published: readonly IssuerKey[] = [];
  const flow = new CodeFlow();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', url);
    if (pathname === '/authorize') return flow.authorize(searchParams, response);
    if (pathname === '/token') return void flow.token(request, response);
    const documents: Readonly<Record<string, object>> = {
      '/.well-known/openid-configuration': {
        issuer: url,
        jwks_uri: `${url}/keys`,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
      },
      '/keys': { keys: published.map(({ jwk }) => jwk) },
    };
    const document = documents[pathname];
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json', ...CORS });
    response.end(JSON.stringify(document ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    audience: AUDIENCE,
    publish: (...keys) => {
      published = keys;
    },
    register: (client) => {
      flow.client = client;
    },
    claims: (tenantId, changes = {}) => {
      const now = Math.floor(Date.now() / 1_000);
      return {
        iss: url,
        aud: AUDIENCE,
        sub: 'backend',
        iat: now,
        exp: now + 600,
        jti: randomUUID(),
        tenant_id: tenantId,
        scope: 'openid memory:read',
        ...changes,
      };
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

/** A hand-made JSON Web Token (RFC 7515), ES256 unless the header says otherwise. */
export const tokenOf = (claims: Claims, { kid, privateKey }: IssuerKey, header: Claims = {}): string => {
  const content = [{ alg: 'ES256', typ: 'JWT', kid, ...header }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  if (header['alg'] === 'none') return `${content}.`;
  const signature = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
};
