import { describe, expect, it } from 'vitest';
import type { GuideClient } from './client.js';

export const tokenExchangeCases = (client: GuideClient): void => {
  describe("the exchange of a key for a token, as AgentBase's clients do it", () => {
    const exchange = async (
      user: string,
      password: string,
      body: string,
      type = 'application/x-www-form-urlencoded',
    ) => {
      const response = await fetch(`${client.stack.api.url}/accounts-api/v2/auth/token`, {
        method: 'POST',
        headers: {
          Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
          'Content-Type': type,
        },
        body,
      });
      return { status: response.status, answer: await client.bodyOf<Record<string, unknown>>('POST', response) };
    };

    it('gives a bearer token with the rights of the key', async () => {
      const [, id = '', secret = ''] = client.token.split('_');
      const forms = [
        ['grant_type=client_credentials', undefined],
        ['{ "grant_type": "client_credentials", "scope": "email" }', 'application/json'],
      ] as const;
      for (const [body, type] of forms) {
        const { status, answer } = await exchange(id, secret, body, type);
        expect([status, answer]).toEqual([
          200,
          {
            access_token: expect.stringMatching(/^tkt_/),
            token_type: 'Bearer',
            expires_in: 7200,
            scope: expect.stringContaining('memory:read'),
          },
        ]);
        const headers = { Authorization: `Bearer ${String(answer['access_token'])}` };
        expect((await fetch(`${client.host}/memories`, { headers })).status).toBe(200);
        const caller = async (authorization: string) =>
          (await fetch(`${client.stack.api.url}/v1/auth/caller`, { headers: { authorization } })).json();
        expect(await caller(headers.Authorization)).toEqual(await caller(`Bearer ${client.token}`));
        const again = await fetch(`${client.stack.api.url}/accounts-api/v2/auth/token`, {
          method: 'POST',
          headers,
          body,
        });
        expect([again.status, await again.json()]).toMatchObject([401, { error: 'invalid_client' }]);
      }
    });

    it('reports errors in the words of RFC 6749', async () => {
      const [, id = '', secret = ''] = client.token.split('_');
      const grant = 'grant_type=client_credentials';
      const errorOf = async (...parts: Parameters<typeof exchange>) => {
        const { status, answer } = await exchange(...parts);
        expect(answer).toEqual({ error: expect.any(String), error_description: expect.any(String) });
        return [status, answer['error']];
      };
      expect(await errorOf(id, '0'.repeat(64), grant)).toEqual([401, 'invalid_client']);
      expect(await errorOf('unknown', secret, grant)).toEqual([401, 'invalid_client']);
      expect(await errorOf(id, secret, '')).toEqual([400, 'invalid_request']);
      expect(await errorOf(id, secret, '{"grant_type":', 'application/json')).toEqual([400, 'invalid_request']);
      expect(await errorOf(id, secret, 'grant_type=password')).toEqual([400, 'unsupported_grant_type']);
      expect(await errorOf(id, secret, `${grant}&x=${'x'.repeat(5_000)}`)).toEqual([413, 'invalid_request']);
    });
  });
};
