import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Tenant } from '@turnkeeper/application';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TokenVerifier, type TokenSettings } from './token-verifier.js';

const TENANT = '01890000-0000-7000-8000-000000000001';
const STRANGER = '01890000-0000-7000-8000-000000000002';

/** An OpenID Connect issuer owned by the test. */
class Issuer {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}
  readonly published: object[] = [];
  up = true;
  requests = 0;

  static async start(): Promise<Issuer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = new Issuer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => {
      issuer.requests += 1;
      if (!issuer.up) return void response.writeHead(503).end();
      const body =
        request.url === '/.well-known/openid-configuration'
          ? { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` }
          : { keys: issuer.published };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    return issuer;
  }

  async key(kid: string, alg = 'ES256'): Promise<{ kid: string; alg: string; privateKey: CryptoKey }> {
    const { privateKey, publicKey } = await generateKeyPair(alg);
    this.published.push({ ...(await exportJWK(publicKey)), kid, alg, use: 'sig' });
    return { kid, alg, privateKey };
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}

describe('a token of the issuer', () => {
  let issuer: Issuer;
  let key: Awaited<ReturnType<Issuer['key']>>;
  beforeAll(async () => {
    issuer = await Issuer.start();
    key = await issuer.key('one');
  });
  afterAll(() => issuer.stop());

  const tenants = { find: async (id: string) => (id === TENANT ? ({ tenantId: id } as Tenant) : null) };
  const standard = (): TokenSettings => ({
    issuer: issuer.url,
    audience: 'turnkeeper',
    tenantClaim: 'tenant_id',
    maxTokenSeconds: 3_600,
    scopeMap: new Map(),
  });
  const verifier = (settings: object = {}) =>
    new TokenVerifier({ ...standard(), ...settings }, tenants, {
      now: () => new Date(),
    });
  const claims = (changes: Record<string, unknown> = {}) => {
    const now = Math.floor(Date.now() / 1_000);
    return {
      iss: issuer.url,
      aud: 'turnkeeper',
      sub: 'backend',
      iat: now,
      exp: now + 300,
      tenant_id: TENANT,
      scope: 'openid memory:read memory:write',
      ...changes,
    };
  };
  const sign = (payload: Record<string, unknown>, signer = key, header: object = {}) =>
    new SignJWT(payload).setProtectedHeader({ alg: signer.alg, kid: signer.kid, ...header }).sign(signer.privateKey);
  const verdict = async (token: string, by = verifier()): Promise<string> => {
    try {
      return (await by.verify(token)).tenantId;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  const REFUSED = 'auth.unauthenticated';

  it('identifies the tenant, the subject and the scopes', async () => {
    expect(await verifier().verify(await sign(claims()))).toMatchObject({
      tenantId: TENANT,
      keyId: 'backend',
      scopes: ['memory:read', 'memory:write'],
    });
    const listed = claims({ scope: undefined, scp: ['memory:read', 'something:else'] });
    expect((await verifier().verify(await sign(listed))).scopes).toEqual(['memory:read']);
    expect((await verifier().verify(await sign(claims({ scope: undefined })))).scopes).toEqual([]);
  });

  it('is rejected with another issuer, another audience, an invalid time or no time', async () => {
    const now = Math.floor(Date.now() / 1_000);
    for (const changes of [
      { iss: 'https://elsewhere.example' },
      { aud: 'another-service' },
      { exp: now - 60 },
      { exp: undefined },
      { nbf: now + 60 },
    ]) {
      expect(await verdict(await sign(claims(changes))), JSON.stringify(changes)).toBe(REFUSED);
    }
  });

  it('is rejected if its lifetime is too long or it has no `iat`', async () => {
    const now = Math.floor(Date.now() / 1_000);
    expect(await verdict(await sign(claims({ iat: now - 60, exp: now + 3_540 })))).toBe(TENANT);
    for (const changes of [{ exp: now + 3_700 }, { iat: now - 3_600, exp: now + 60 }, { iat: undefined }]) {
      expect(await verdict(await sign(claims(changes))), JSON.stringify(changes)).toBe(REFUSED);
    }
  });

  it('has the scopes that a group claim maps to, and no others', async () => {
    const scopeMap = new Map([
      ['desk', ['memory:read', 'memory:write']],
      ['audit', ['audit:read', 'memory:read']],
    ]);
    const by = verifier({ scopeClaim: 'groups', scopeMap });
    const scopesOf = async (changes: Record<string, unknown>) => (await by.verify(await sign(claims(changes)))).scopes;
    expect(await scopesOf({ groups: ['desk', 'audit', 'cooks'] })).toEqual([
      'memory:read',
      'memory:write',
      'audit:read',
    ]);
    // With a map, neither the scope claim nor literal scope names count.
    expect(await scopesOf({ scope: 'admin', groups: ['admin', 'memory:read'] })).toEqual([]);
    expect(await scopesOf({})).toEqual([]);
    const unmapped = verifier({ scopeClaim: 'roles' });
    expect((await unmapped.verify(await sign(claims({ roles: 'audit:read x' })))).scopes).toEqual(['audit:read']);
  });

  it('is rejected if it names an unknown tenant', async () => {
    for (const tenant_id of [undefined, '', 'acme', STRANGER, 7]) {
      expect(await verdict(await sign(claims({ tenant_id })))).toBe(REFUSED);
    }
  });

  it('can name the tenant in another claim', async () => {
    const by = verifier({ tenantClaim: 'https://example.com/tenant' });
    expect(await verdict(await sign(claims({ 'https://example.com/tenant': TENANT })), by)).toBe(TENANT);
  });

  it('is rejected unless signed by a key of the issuer', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    const forged = { kid: 'one', alg: 'ES256', privateKey };
    expect(await verdict(await sign(claims(), forged))).toBe(REFUSED);
    expect(await verdict(await sign(claims(), { ...forged, kid: 'unknown' }))).toBe(REFUSED);
    // A key embedded in the token is ignored.
    expect(await verdict(await sign(claims(), forged, { jku: 'http://127.0.0.1:1/keys' }))).toBe(REFUSED);
    expect(await verdict(new UnsecuredJWT(claims()).encode())).toBe(REFUSED);
    const secret = new TextEncoder().encode(JSON.stringify(issuer.published[0]));
    expect(await verdict(await new SignJWT(claims()).setProtectedHeader({ alg: 'HS256' }).sign(secret))).toBe(REFUSED);
    for (const junk of ['', 'a', 'a.b.c', '...', 'é.ü.ß']) expect(await verdict(junk), junk).toBe(REFUSED);
  });

  it('is accepted with a key that the issuer added', async () => {
    const by = verifier();
    expect(await verdict(await sign(claims()), by)).toBe(TENANT);
    const next = await issuer.key('two', 'RS256');
    // This verifier fetched the set a moment ago; a new one, like a process that starts later, has not.
    expect(await verdict(await sign(claims(), next), verifier())).toBe(TENANT);
  });

  it('is accepted while the issuer is down if its keys are cached; otherwise its validity is unknown', async () => {
    const by = verifier();
    await by.verify(await sign(claims()));
    issuer.up = false;
    try {
      expect(await verdict(await sign(claims()), by)).toBe(TENANT);
      const fresh = verifier();
      expect(await verdict(await sign(claims()), fresh)).toBe('auth.issuer_unavailable');
      issuer.up = true;
      expect(await verdict(await sign(claims()), fresh)).toBe(TENANT);
    } finally {
      issuer.up = true;
    }
  });

  it('with an unknown key does not trigger a fetch every time', async () => {
    const by = verifier();
    await by.verify(await sign(claims()));
    const { privateKey } = await generateKeyPair('ES256');
    const before = issuer.requests;
    for (let count = 0; count < 20; count += 1) {
      expect(await verdict(await sign(claims(), { kid: `made-up-${count}`, alg: 'ES256', privateKey }), by)).toBe(
        REFUSED,
      );
    }
    expect(issuer.requests - before).toBeLessThanOrEqual(1);
  });
});
