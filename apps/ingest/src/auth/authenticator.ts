import type { Clock, KeyStore } from '@turnkeeper/application';
import { isKeyLive } from '@turnkeeper/domain';
import { apiKeySecretMatches, apiKeyTokenOf, parseApiKeyToken, type ApiKeyToken } from '@turnkeeper/platform';
import type { AccessTokens } from './access-tokens.js';
import { Unauthenticated } from './auth-errors.js';
import type { Caller } from './caller.js';
import { SharedLookUps } from './shared-look-ups.js';
import type { TokenVerifier } from './token-verifier.js';

/** How long a successful look-up is cached; a revoked key keeps working at most this much longer. */
export const TRUST_MS = 2_000;
const MAX_REMEMBERED = 10_000;
/** Precision of a key's last use. */
const TOUCH_EVERY_MS = 60_000;
/** Uses are batched for this long. */
const WRITE_AFTER_MS = 250;

type Keys = Pick<KeyStore, 'find'>;

interface Options {
  /** Absent or null: no issuer is configured. */
  readonly tokens?: TokenVerifier | null;
  /** Absent: keys cannot be exchanged for tokens. */
  readonly accessTokens?: AccessTokens;
  /** Called when the last use of a key could not be written. */
  readonly onTouchFailed?: (error: unknown) => void;
}

/** Finds the tenant of an API key, of a token that a key was exchanged for, or of a token of the configured issuer. */
export class Authenticator {
  /** `until` is on the monotonic clock. */
  private readonly remembered = new Map<string, { readonly caller: Caller; readonly until: number }>();
  private readonly touched = new Map<string, number>();
  private readonly lookingUp = new Map<string, Promise<Caller>>();
  /** Keys whose last use has not been written yet. */
  private readonly used = new Set<string>();
  private writing: NodeJS.Timeout | null = null;
  private readonly shared: SharedLookUps;

  /**
   * @param clock wall clock, for the expiry of keys and tokens
   * @param monotonicMs monotonic clock, for the cache: with a clock that is set back, a revoked key would stay cached
   *   until the clock has caught up
   */
  constructor(
    private readonly keys: KeyStore,
    private readonly clock: Clock,
    private readonly options: Options = {},
    private readonly monotonicMs = (): number => performance.now(),
  ) {
    this.shared = new SharedLookUps(keys);
  }

  /** Rejects with `Unauthenticated` or `IssuerUnavailable`. */
  authenticate(authorization: string | undefined): Caller | Promise<Caller> {
    if (authorization === undefined) throw new Unauthenticated();
    return this.known(authorization) ?? this.lookUp(authorization);
  }

  /** Returns the cached caller of this credential, synchronously for the hot path; null if it must be looked up. */
  known(authorization: string): Caller | null {
    const known = this.remembered.get(authorization);
    return known !== undefined && known.until > this.monotonicMs() ? known.caller : null;
  }

  /**
   * The running look-up of this credential, or null. All requests of a busy caller miss the cache at once when its entry
   * expires: one look-up answers them.
   */
  pending(authorization: string): Promise<Caller> | null {
    return this.lookingUp.get(authorization) ?? null;
  }

  /**
   * Reads whether the caller is valid now. Rejects with `Unauthenticated` or `IssuerUnavailable`.
   *
   * @param how `shared`: keys looked up at the same time share a statement, which takes up to a tenth of a second longer
   */
  lookUp(authorization: string, how: 'alone' | 'shared' = 'alone'): Promise<Caller> {
    if (how === 'shared') return this.read(authorization, this.shared);
    const pending = this.pending(authorization);
    if (pending !== null) return pending;
    const found = this.read(authorization, this.keys).finally(() => this.lookingUp.delete(authorization));
    this.lookingUp.set(authorization, found);
    return found;
  }

  private async read(authorization: string, keys: Keys): Promise<Caller> {
    // Before the look-up: a key revoked during it must not be cached longer.
    const asked = this.monotonicMs();
    const now = this.clock.now();
    const { caller, expiresAtMs } = await this.find(authorization, now, keys);
    if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
    this.remembered.set(authorization, { caller, until: asked + Math.min(TRUST_MS, expiresAtMs - now.getTime()) });
    return caller;
  }

  private async find(authorization: string, now: Date, keys: Keys): Promise<{ caller: Caller; expiresAtMs: number }> {
    const parsed = keyIn(authorization);
    if (parsed !== null) {
      const { keyId, secret } = parsed;
      const caller = await this.callerOfKey(keys, keyId, now, (hash) => apiKeySecretMatches(secret, hash));
      return { caller, expiresAtMs: Number.POSITIVE_INFINITY };
    }
    const token = bearerOf(authorization);
    if (token === null) throw new Unauthenticated();
    const ours = (await this.options.accessTokens?.read(token, now)) ?? null;
    // The key is looked up, so that revoking it also revokes its tokens.
    if (ours !== null) {
      return { caller: await this.callerOfKey(keys, ours.keyId, now, () => true), expiresAtMs: ours.expiresAtMs };
    }
    const { tokens = null } = this.options;
    if (tokens === null) throw new Unauthenticated();
    const { expiresAtMs, ...caller } = await tokens.verify(token);
    return { caller, expiresAtMs };
  }

  private async callerOfKey(
    keys: Keys,
    id: string,
    now: Date,
    isProven: (secretHash: Uint8Array) => boolean,
  ): Promise<Caller> {
    const key = await keys.find(id);
    if (key === null || !isKeyLive(key, now) || !isProven(key.secretHash)) throw new Unauthenticated();
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
    // Keys first used at the same moment share one write.
    this.writing ??= setTimeout(() => this.writeUses(), WRITE_AFTER_MS).unref();
  }

  /** No request waits for this write or fails because of it. */
  private writeUses(): void {
    const keyIds = [...this.used];
    this.used.clear();
    this.writing = null;
    this.keys.touch(keyIds).catch(this.options.onTouchFailed ?? (() => undefined));
  }
}

const bearerOf = (authorization: string): string | null => {
  const [scheme, value, ...rest] = authorization.split(' ');
  return scheme?.toLowerCase() === 'bearer' && value !== undefined && rest.length === 0 ? value : null;
};

/** The key of `Bearer <API key>`, or of `Basic` with the key id as user and its secret as password. */
const keyIn = (authorization: string): ApiKeyToken | null => {
  const bearer = bearerOf(authorization);
  if (bearer !== null) return parseApiKeyToken(bearer);
  const [scheme, value, ...rest] = authorization.split(' ');
  if (scheme?.toLowerCase() !== 'basic' || value === undefined || rest.length > 0) return null;
  const decoded = Buffer.from(value, 'base64');
  // Node ignores what does not belong to base64, and everything after the padding.
  if (decoded.toString('base64') !== value) return null;
  const [keyId = '', secret = '', ...more] = decoded.toString().split(':');
  return more.length > 0 ? null : parseApiKeyToken(apiKeyTokenOf(keyId, secret));
};
