import type { ApiKey, KeyStore } from '@turnkeeper/application';
import { newApiKeyToken } from '@turnkeeper/platform';
import { describe, expect, it, vi } from 'vitest';
import { AccessTokens, TOKEN_SECONDS } from './access-tokens.js';
import { Authenticator, TRUST_MS } from './authenticator.js';

const given = (changes: Partial<ApiKey> = {}) => {
  let now = Date.UTC(2026, 0, 1);
  let monotonic = 0;
  const { token, keyId, secretHash, secret } = newApiKeyToken();
  const key: ApiKey = {
    keyId,
    tenantId: 'acme',
    description: '',
    secretHash,
    scopes: ['memory:read'],
    memoryId: null,
    actorId: null,
    createdAt: '',
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    replacedBy: null,
    ...changes,
  };
  const state = { key: key as ApiKey | null, touches: 0, finds: 0, sharedFinds: [] as (readonly string[])[] };
  const keys = {
    find: async (id: string) => {
      state.finds += 1;
      return state.key?.keyId === id ? state.key : null;
    },
    findAll: async (ids: readonly string[]) => {
      state.sharedFinds.push(ids);
      return state.key !== null && ids.includes(state.key.keyId) ? [state.key] : [];
    },
    touch: async () => void (state.touches += 1),
  } as Partial<KeyStore> as KeyStore;
  const accessTokens = new AccessTokens(async () => 'secret of the installation');
  const authenticator = new Authenticator(keys, { now: () => new Date(now) }, { accessTokens }, () => monotonic);
  const exchange = (): Promise<string> => accessTokens.issue(keyId, new Date(now));
  const verdict = async (authorization: string | undefined = `Bearer ${token}`): Promise<string> => {
    try {
      return (await authenticator.authenticate(authorization)).tenantId;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  const pass = (ms: number): void => {
    now += ms;
    monotonic += ms;
  };
  /** Sets the wall clock. */
  const set = (ms: number): void => void (now += ms);
  return { state, authenticator, key, token, keyId, secret, verdict, pass, set, exchange };
};
const REFUSED = 'auth.unauthenticated';

describe('an API key', () => {
  it('identifies its tenant, as bearer or as basic credentials', async () => {
    const { verdict, keyId, secret } = given();
    expect(await verdict()).toBe('acme');
    expect(await verdict(`Basic ${Buffer.from(`${keyId}:${secret}`).toString('base64')}`)).toBe('acme');
  });

  it('is rejected unless complete, with the same error in all cases', async () => {
    const { verdict, token, keyId, secret } = given();
    const wrong = secret.replace(/^./, (first) => (first === '0' ? '1' : '0'));
    for (const authorization of [
      '',
      token,
      'Bearer ',
      `Bearer ${token}x`,
      `Bearer ${token} more`,
      `Bearer tk_${keyId}_${wrong}`,
      `Bearer tk_${'0'.repeat(16)}_${secret}`,
      'Bearer a.b.c',
      `Basic ${Buffer.from(`${keyId}:${secret}:x`).toString('base64')}`,
      `Basic ${Buffer.from(`${keyId}:${secret}`).toString('base64')}junk`,
      `Basic ${Buffer.from(`${keyId}:${secret}`).toString('base64')}==junk`,
      `Basic ${Buffer.from(`${keyId}:${secret}`).toString('base64').replace(/^../, '$&*')}`,
      'Digest x',
    ]) {
      expect(await verdict(authorization), authorization).toBe(REFUSED);
    }
  });

  it('is looked up once for all requests that wait for it, also if it is invalid', async () => {
    const { state, verdict, pass } = given();
    const burst = () => Promise.all(Array.from({ length: 64 }, () => verdict()));
    expect(new Set(await burst())).toEqual(new Set(['acme']));
    pass(TRUST_MS);
    state.key = null;
    expect(new Set(await burst())).toEqual(new Set([REFUSED]));
    expect(state.finds).toBe(2);
    // A rejection is not kept.
    await verdict();
    expect(state.finds).toBe(3);
  });

  it('is found by one statement together with guessed ones', async () => {
    const { state, authenticator, token, secret } = given();
    const guesses = Array.from({ length: 200 }, (_, at) => `Bearer tk_${at.toString(16).padStart(16, '0')}_${secret}`);
    const verdicts = await Promise.allSettled(
      [...guesses, `Bearer ${token}`].map((authorization) => authenticator.lookUp(authorization, 'shared')),
    );
    expect(verdicts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect([state.finds, state.sharedFinds.map((ids) => ids.length)]).toEqual([0, [201]]);
  });

  it('is rejected once it has expired', async () => {
    const { verdict, pass } = given({ expiresAt: '2026-01-01T00:00:10.000Z' });
    expect(await verdict()).toBe('acme');
    pass(10_000);
    expect(await verdict()).toBe(REFUSED);
  });

  it('is accepted for at most two seconds after revocation', async () => {
    const { state, key, verdict, pass } = given();
    await verdict();
    state.key = { ...key, revokedAt: '2026-01-01T00:00:00.000Z' };
    pass(1_999);
    expect(await verdict()).toBe('acme');
    pass(1);
    expect(await verdict()).toBe(REFUSED);
  });

  it('is not accepted longer when the wall clock is set back, nor looked up for every request', async () => {
    const { state, key, verdict, pass, set } = given();
    await verdict();
    state.key = { ...key, revokedAt: '2026-01-01T00:00:00.000Z' };
    set(-3_600_000);
    pass(2_000);
    expect(await verdict()).toBe(REFUSED);
  });

  it('is looked up once for many requests; last uses are written once a minute in one batch', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      const { state, verdict, pass } = given();
      const written = (): readonly number[] => {
        vi.advanceTimersByTime(1_000);
        return [state.finds, state.touches];
      };
      for (let request = 0; request < 50; request += 1) await verdict();
      expect(state.touches).toBe(0);
      expect(written()).toEqual([1, 1]);
      pass(30_000);
      await verdict();
      expect(written()).toEqual([2, 1]);
      pass(30_000);
      await verdict();
      expect(written()).toEqual([3, 2]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a token of a key', () => {
  it('identifies the tenant of the key until it expires', async () => {
    const { verdict, exchange, pass } = given();
    const bearer = `Bearer ${await exchange()}`;
    expect(await verdict(bearer)).toBe('acme');
    pass(TOKEN_SECONDS * 1_000 - 1);
    expect(await verdict(bearer)).toBe('acme');
    pass(1);
    expect(await verdict(bearer)).toBe(REFUSED);
  });

  it('ends with its key', async () => {
    const { verdict, exchange, pass, state, key } = given();
    const bearer = `Bearer ${await exchange()}`;
    expect(await verdict(bearer)).toBe('acme');
    state.key = { ...key, revokedAt: '2026-01-01T00:00:00.000Z' };
    pass(TRUST_MS);
    expect(await verdict(bearer)).toBe(REFUSED);
  });

  it('is rejected if any part of it was changed, or if another installation made it', async () => {
    const { verdict, exchange, keyId, state } = given();
    const token = await exchange();
    const [prefix, , expiry, mac = ''] = token.split('_');
    const other = await new AccessTokens(async () => 'another secret').issue(keyId, new Date(Date.UTC(2026, 0, 1)));
    for (const forged of [
      `${prefix}_${keyId}_${Number(expiry) + 1}_${mac}`,
      `${prefix}_${keyId}_0${expiry}_${mac}`,
      `${prefix}_${keyId}_${expiry}_${'0'.repeat(64)}`,
      `${prefix}_${'0'.repeat(16)}_${expiry}_${mac}`,
      token.slice(0, -1),
      other,
    ]) {
      expect(await verdict(`Bearer ${forged}`), forged).toBe(REFUSED);
    }
    expect(state.finds).toBe(0);
    const basic = Buffer.from(`${keyId}:${token.split('_').at(-1) ?? ''}`).toString('base64');
    expect(await verdict(`Basic ${basic}`)).toBe(REFUSED);
  });
});
