import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** `tk_<key id>_<secret>`: the id finds the row; of the secret (256 bits) only the SHA-256 is kept. */
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

/** How every token of a key begins: what lists and secret scanners tell keys apart by. */
export const apiKeyPrefix = (keyId: string): string => `tk_${keyId}_`;

/** A new key. The token is shown once; the hash is what is stored. */
export const newApiKeyToken = (): ApiKeyToken & { readonly token: string; readonly secretHash: Buffer } => {
  const keyId = randomBytes(8).toString('hex');
  const secret = randomBytes(32).toString('hex');
  return { keyId, secret, token: apiKeyTokenOf(keyId, secret), secretHash: hashApiKeySecret(secret) };
};

export const hashApiKeySecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** In constant time. */
export const apiKeySecretMatches = (secret: string, hash: Uint8Array): boolean => {
  const given = hashApiKeySecret(secret);
  return given.length === hash.length && timingSafeEqual(given, hash);
};
