import { describe, expect, it } from 'vitest';
import { apiKeySecretMatches, hashApiKeySecret, newApiKeyToken, parseApiKeyToken } from './api-key.js';

describe('an API key', () => {
  it('is parsed from its token and verified by the hash of its secret', () => {
    const { token, keyId, secret, secretHash } = newApiKeyToken();
    expect(parseApiKeyToken(token)).toEqual({ keyId, secret });
    expect(apiKeySecretMatches(secret, secretHash)).toBe(true);
    expect(secretHash.includes(secret)).toBe(false);
  });

  it('is different every time', () => {
    const keys = Array.from({ length: 100 }, newApiKeyToken);
    expect(new Set(keys.map(({ keyId }) => keyId)).size).toBe(100);
    expect(new Set(keys.map(({ secret }) => secret)).size).toBe(100);
  });

  it('is rejected with another secret or a truncated hash', () => {
    const [mine, other] = [newApiKeyToken(), newApiKeyToken()];
    expect(apiKeySecretMatches(other.secret, mine.secretHash)).toBe(false);
    expect(apiKeySecretMatches(mine.secret, mine.secretHash.subarray(0, 31))).toBe(false);
    expect(apiKeySecretMatches('', hashApiKeySecret('x'))).toBe(false);
  });

  it.each([
    ['nothing', ''],
    ['another prefix', `pk_${'0'.repeat(16)}_${'0'.repeat(64)}`],
    ['a short secret', `tk_${'0'.repeat(16)}_${'0'.repeat(63)}`],
    ['capitals', `tk_${'A'.repeat(16)}_${'0'.repeat(64)}`],
    ['something behind it', `tk_${'0'.repeat(16)}_${'0'.repeat(64)}\n`],
    ['something before it', ` tk_${'0'.repeat(16)}_${'0'.repeat(64)}`],
  ])('is not parsed from %s', (_, token) => {
    expect(parseApiKeyToken(token)).toBeNull();
  });
});
