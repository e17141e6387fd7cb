import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** `tk_<key id>_<secret>`: the id locates the row; only the SHA-256 of the 256-bit secret is stored. */
const TOKEN = /^tk_([0-9a-f]{16})_([0-9a-f]{64})$/;

export interface ApiKeyToken {
  readonly keyId: string;
  readonly secret: string;
}

export const parseApiKeyToken = (token: string): ApiKeyToken | null => {
  const match = TOKEN.exec(token);
  return match === null ? null : { keyId: match[1] ?? '', secret: match[2] ?? '' };
};

export const apiKeyTokenOf = (keyId: string, secret: string): string => `tk_${keyId}_${secret}`;

/** Prefix of every token of a key. Lists and secret scanners identify keys by it. */
export const apiKeyPrefix = (keyId: string): string => `tk_${keyId}_`;

/** Creates a key. The token is shown once; only its hash is stored. */
export const newApiKeyToken = (): ApiKeyToken & { readonly token: string; readonly secretHash: Buffer } => {
  const keyId = randomBytes(8).toString('hex');
  const secret = randomBytes(32).toString('hex');
  return { keyId, secret, token: apiKeyTokenOf(keyId, secret), secretHash: hashApiKeySecret(secret) };
};

export const hashApiKeySecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Constant-time comparison. */
export const apiKeySecretMatches = (secret: string, hash: Uint8Array): boolean => {
  const given = hashApiKeySecret(secret);
  return given.length === hash.length && timingSafeEqual(given, hash);
};
