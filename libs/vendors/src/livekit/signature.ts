import { createHash, createHmac } from 'node:crypto';
import { hexEquals } from '../shared/hex.js';

/** How far our clock may be from LiveKit's. */
const LEEWAY_SECONDS = 60;

const claimsOf = (part: string): { readonly [claim: string]: unknown } => {
  try {
    return Object(JSON.parse(Buffer.from(part, 'base64url').toString())) as { readonly [claim: string]: unknown };
  } catch {
    return {};
  }
};

/**
 * Checks the token in `Authorization` of LiveKit's webhooks: a JWT that is signed with the API secret, and has the SHA-256 of
 * the body. Tokens to join a room are signed with the same secret; they have no hash.
 *
 * @returns `stale` for a valid signature outside of its time
 */
export const verifyLivekitToken = (
  secrets: readonly string[],
  token: string,
  raw: Uint8Array,
  now: Date,
): 'valid' | 'invalid' | 'stale' => {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const given = Buffer.from(signature, 'base64url').toString('hex');
  const isSigned = secrets.some(
    (secret) => secret !== '' && hexEquals(createHmac('sha256', secret).update(`${header}.${payload}`).digest(), given),
  );
  if (!isSigned || claimsOf(header)['alg'] !== 'HS256') return 'invalid';
  const { sha256, exp, nbf = 0 } = claimsOf(payload);
  if (sha256 !== createHash('sha256').update(raw).digest('base64')) return 'invalid';
  const seconds = now.getTime() / 1_000;
  return seconds - LEEWAY_SECONDS <= Number(exp) && Number(nbf) <= seconds + LEEWAY_SECONDS ? 'valid' : 'stale';
};
