import type { Clock, KeyStore } from '@turnkeeper/application';
import { isKeyLive } from '@turnkeeper/domain';
import { apiKeySecretMatches, apiKeyTokenOf, parseApiKeyToken, type ApiKeyToken } from '@turnkeeper/platform';
import { Unauthenticated } from './auth-errors.js';
import type { Caller } from './caller.js';
import type { TokenVerifier } from './token-verifier.js';

/** How long a key or token that was found good is believed; a revoked key works at most this much longer. */
const TRUST_MS = 2_000;
const MAX_REMEMBERED = 10_000;
/** A key's last use is kept to about this. */
const TOUCH_EVERY_MS = 60_000;
/** Uses are collected for so long and written together. */
const WRITE_AFTER_MS = 250;

/** Finds the tenant behind an API key, or behind a token where an issuer is configured. */
export class Authenticator {
  /** `until` by the monotonic clock. */
  private readonly remembered = new Map<string, { readonly caller: Caller; readonly until: number }>();
  private readonly touched = new Map<string, number>();
  /** Keys whose use is not written yet. */
  private readonly used = new Set<string>();
  private writing: NodeJS.Timeout | null = null;

  /**
   * @param clock the wall clock that keys and tokens expire by
   * @param monotonicMs a clock that never jumps, for how long an answer is believed: with one that is set back, a
   *   revoked key would be believed until it has caught up
   */
  constructor(
    private readonly keys: KeyStore,
    private readonly clock: Clock,
    private readonly tokens: TokenVerifier | null = null,
    /** Told when the last use of a key could not be noted. */
    private readonly onTouchFailed: (error: unknown) => void = () => undefined,
    private readonly monotonicMs = (): number => performance.now(),
  ) {}

  /** Rejects with `Unauthenticated`, or with `IssuerUnavailable`. */
  authenticate(authorization: string | undefined): Caller | Promise<Caller> {
    if (authorization === undefined) throw new Unauthenticated();
    return this.known(authorization) ?? this.lookUp(authorization);
  }

  /** Who was found behind this credential a moment ago, without a promise for the hot path; null: look it up. */
  known(authorization: string): Caller | null {
    const known = this.remembered.get(authorization);
    return known !== undefined && known.until > this.monotonicMs() ? known.caller : null;
  }

  /** Rejects with `Unauthenticated`, or with `IssuerUnavailable`. */
  async lookUp(authorization: string): Promise<Caller> {
    // Before the look-up: what is revoked while it is under way must not be believed longer.
    const asked = this.monotonicMs();
    const now = this.clock.now();
    const { caller, expiresAtMs } = await this.find(authorization, now);
    if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
    this.remembered.set(authorization, { caller, until: asked + Math.min(TRUST_MS, expiresAtMs - now.getTime()) });
    return caller;
  }

  private async find(authorization: string, now: Date): Promise<{ caller: Caller; expiresAtMs: number }> {
    const parsed = keyIn(authorization);
    if (parsed !== null) return { caller: await this.callerOfKey(parsed, now), expiresAtMs: Number.POSITIVE_INFINITY };
    const token = bearerOf(authorization);
    if (token === null || this.tokens === null) throw new Unauthenticated();
    const { expiresAtMs, ...caller } = await this.tokens.verify(token);
    return { caller, expiresAtMs };
  }

  private async callerOfKey(token: ApiKeyToken, now: Date): Promise<Caller> {
    const key = await this.keys.find(token.keyId);
    if (key === null || !isKeyLive(key, now) || !apiKeySecretMatches(token.secret, key.secretHash)) {
      throw new Unauthenticated();
    }
    this.noteUse(key.keyId);
    const { tenantId, keyId, scopes, memoryId, actorId } = key;
    return {
      tenantId,
      keyId,
      scopes,
      ...(memoryId === null && actorId === null ? {} : { reach: { memoryId, actorId } }),
    };
  }

  private noteUse(keyId: string): void {
    const now = this.monotonicMs();
    if (now - (this.touched.get(keyId) ?? Number.NEGATIVE_INFINITY) < TOUCH_EVERY_MS) return;
    if (this.touched.size >= MAX_REMEMBERED) this.touched.clear();
    this.touched.set(keyId, now);
    this.used.add(keyId);
    // Keys that come into use in the same moment are one write.
    this.writing ??= setTimeout(() => this.writeUses(), WRITE_AFTER_MS).unref();
  }

  /** No request waits for it, or is refused because its key's last use could not be noted. */
  private writeUses(): void {
    const keyIds = [...this.used];
    this.used.clear();
    this.writing = null;
    this.keys.touch(keyIds).catch(this.onTouchFailed);
  }
}

const bearerOf = (authorization: string): string | null => {
  const [scheme, value, ...rest] = authorization.split(' ');
  return scheme?.toLowerCase() === 'bearer' && value !== undefined && rest.length === 0 ? value : null;
};

/** The key of `Bearer <API key>`, or of `Basic` with the key's id as user and its secret as password. */
const keyIn = (authorization: string): ApiKeyToken | null => {
  const bearer = bearerOf(authorization);
  if (bearer !== null) return parseApiKeyToken(bearer);
  const [scheme, value, ...rest] = authorization.split(' ');
  if (scheme?.toLowerCase() !== 'basic' || value === undefined || rest.length > 0) return null;
  const [keyId = '', secret = '', ...more] = Buffer.from(value, 'base64').toString().split(':');
  return more.length > 0 ? null : parseApiKeyToken(apiKeyTokenOf(keyId, secret));
};
