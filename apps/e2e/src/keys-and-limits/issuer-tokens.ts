import { eventually } from '@turnkeeper/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawIssuerKey, tokenOf, type IssuerKey } from '../harness/token-issuer.js';
import type { AccessWorld } from './world.js';

export const issuerTokenCases = (world: AccessWorld): void => {
  const { as, newTenant, reads, writes } = world;

  describe('a token of the OpenID Connect issuer', () => {
    let tenant: { id: string };
    let key: IssuerKey;
    beforeAll(async () => {
      tenant = await newTenant();
      key = drawIssuerKey('first');
      world.issuer.publish(key);
    });
    const now = () => Math.floor(Date.now() / 1_000);
    const good = (changes: object = {}, by: IssuerKey = key, header: Record<string, unknown> = {}) =>
      tokenOf(world.issuer.claims(tenant.id, { ...changes }), by, header);

    it('is requested by a console using the public configuration', async () => {
      const told = await world.stack.apiOf(world.stack.ingests[0]!, null).request('GET', '/v1/auth/config');
      expect(told).toMatchObject({
        status: 200,
        body: {
          oidc: {
            issuer: world.issuer.url,
            clientId: 'console',
            audience: world.issuer.audience,
            scopes: ['openid', 'profile'],
          },
        },
      });
    });

    it('authenticates as the tenant it names, with its scopes', async () => {
      expect(await reads(good())).toBe(200);
      expect((await writes(good())).status).toBe(403);
      const written = await writes(good({ scope: 'memory:read memory:write' }));
      expect(written.status).toBe(200);
      const { body } = await as(good()).request<{ totalItem: number }>('GET', '/memory/memories');
      expect(body.totalItem).toBe(1);
      const other = tokenOf(world.issuer.claims((await newTenant()).id), key);
      expect((await as(other).request<{ totalItem: number }>('GET', '/memory/memories')).body.totalItem).toBe(0);
    });

    it.each<[string, () => string]>([
      ['another issuer', () => good({ iss: 'http://127.0.0.1:1' })],
      ['another audience', () => good({ aud: 'another-service' })],
      ['a time that has passed', () => good({ exp: now() - 60 })],
      ['a life of more than a day', () => good({ exp: now() + 90_000 })],
      ['no end', () => good({ exp: undefined })],
      ['a time to come', () => good({ nbf: now() + 60 })],
      ['no tenant', () => good({ tenant_id: undefined })],
      ['a tenant that is not here', () => good({ tenant_id: '01890000-0000-7000-8000-000000000002' })],
      ['the algorithm none', () => good({}, key, { alg: 'none' })],
      ['an unpublished key', () => good({}, drawIssuerKey())],
      ['the name of a published key and the signature of another', () => good({}, drawIssuerKey('first'))],
      ['another content under the signature', () => forged(good(), good({ scope: 'admin' }))],
    ])('is rejected with %s', async (_, token) => {
      expect(await reads(good())).toBe(200);
      const refusal = await as(token()).request('GET', '/memory/memories');
      expect(refusal).toMatchObject({ status: 401, body: { code: 'auth.unauthenticated' } });
      expect(refusal.headers.get('www-authenticate')).toMatch(/^Bearer/);
    });

    // The last of them: it removes their key.
    it('is accepted with the key the issuer rotated to, and rejected with the one it withdrew', async () => {
      expect(await reads(good())).toBe(200);
      const next = drawIssuerKey('second');
      world.issuer.publish(next);
      await eventually(async () => (await reads(good({}, next))) === 200, { withinMs: 30_000, everyMs: 200 });
      expect(await reads(good())).toBe(401);
      // API keys keep working.
      expect((await world.stack.api.request('GET', '/memory/memories')).status).toBe(200);
    });
  });
};

/** The first token with the payload of the second. */
const forged = (token: string, other: string): string => {
  const [header, , signature] = token.split('.');
  return [header, other.split('.')[1], signature].join('.');
};
