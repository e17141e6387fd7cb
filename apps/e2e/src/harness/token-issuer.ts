import { generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
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
  /** Valid claims for the tenant, with overrides. */
  claims(tenantId: string, changes?: Claims): Claims;
  close(): Promise<void>;
}

export const startTokenIssuer = async (): Promise<TokenIssuer> => {
  let published: readonly IssuerKey[] = [];
  const server = createServer((request, response) => {
    const documents: Readonly<Record<string, object>> = {
      '/.well-known/openid-configuration': { issuer: url, jwks_uri: `${url}/keys` },
      '/keys': { keys: published.map(({ jwk }) => jwk) },
    };
    const document = documents[request.url ?? ''];
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
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
    claims: (tenantId, changes = {}) => {
      const now = Math.floor(Date.now() / 1_000);
      return {
        ...{ iss: url, aud: AUDIENCE, sub: 'backend', iat: now, exp: now + 600, jti: randomUUID() },
        ...{ tenant_id: tenantId, scope: 'openid memory:read' },
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
