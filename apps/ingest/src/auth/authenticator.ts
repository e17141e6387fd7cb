import type { Clock, KeyStore } from '@turnkeeper/application';
import { apiKeySecretMatches, apiKeyTokenOf, parseApiKeyToken, type ApiKeyToken } from '@turnkeeper/platform';
import { Unauthenticated } from './auth-errors.js';

export interface Caller {
  readonly tenantId: string;
  readonly keyId: string;
  readonly scopes: readonly string[];
}

/** How long a key that was found good is believed; a revoked key works at most this much longer. */
const TRUST_MS = 2_000;
const MAX_REMEMBERED = 10_000;

/** Finds the tenant behind a bearer token. */
export class Authenticator {
  private readonly remembered = new Map<string, { readonly caller: Caller; readonly until: number }>();

  constructor(
    private readonly keys: KeyStore,
    private readonly clock: Clock,
  ) {}

  /** Rejects with `Unauthenticated`. */
  authenticate(authorization: string | undefined): Caller | Promise<Caller> {
    if (authorization === undefined) throw new Unauthenticated();
    const known = this.remembered.get(authorization);
    // Answered without a promise on the hot path.
    if (known !== undefined && known.until > this.clock.now().getTime()) return known.caller;
    return this.lookUp(authorization);
  }

  private async lookUp(authorization: string): Promise<Caller> {
    const parsed = keyIn(authorization);
    if (parsed === null) throw new Unauthenticated();
    const key = await this.keys.find(parsed.keyId);
    const now = this.clock.now().getTime();
    const live = key !== null && key.revokedAt === null && (key.expiresAt === null || Date.parse(key.expiresAt) > now);
    if (!live || !apiKeySecretMatches(parsed.secret, key.secretHash)) throw new Unauthenticated();
    const caller: Caller = { tenantId: key.tenantId, keyId: key.keyId, scopes: key.scopes };
    if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
    this.remembered.set(authorization, { caller, until: now + TRUST_MS });
    return caller;
  }
}

/** The key of `Bearer <API key>`, or of `Basic` with the key's id as user and its secret as password. */
const keyIn = (authorization: string): ApiKeyToken | null => {
  const [scheme, value, ...rest] = authorization.split(' ');
  if (value === undefined || rest.length > 0) return null;
  if (scheme?.toLowerCase() === 'bearer') return parseApiKeyToken(value);
  if (scheme?.toLowerCase() !== 'basic') return null;
  const [keyId = '', secret = '', ...more] = Buffer.from(value, 'base64').toString().split(':');
  return more.length > 0 ? null : parseApiKeyToken(apiKeyTokenOf(keyId, secret));
};
