import type { Clock, TenantStore } from '@turnkeeper/application';
import { SCOPES, uuid } from '@turnkeeper/contracts';
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { IssuerUnavailable, Unauthenticated } from './auth-errors.js';
import type { Caller } from './caller.js';

export interface TokenSettings {
  /** Must equal the tokens' `iss`; its keys are found through its discovery document. */
  readonly issuer: string;
  /** Required in the tokens' `aud`. */
  readonly audience: string;
  /** The claim with the tenant id. */
  readonly tenantClaim: string;
  /** Maximum time from `iat` to `exp`, in seconds. */
  readonly maxTokenSeconds: number;
  /** The claim with the token's permissions; default: `scope`, then `scp`. */
  readonly scopeClaim?: string | undefined;
  /** Scopes per claim value; empty: the values are scopes. */
  readonly scopeMap: ReadonlyMap<string, readonly string[]>;
}

/** Asymmetric only, so that a public key cannot be used as an HMAC secret. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const CLOCK_TOLERANCE_SECONDS = 5;
const DISCOVERY_MS = 5_000;
/** How long fetched keys stay valid while the issuer is down. */
const KEYS_MAX_AGE_MS = 3_600_000;
/** Minimum time between fetches triggered by an unknown key; a new key works within this time. */
const KEYS_COOLDOWN_MS = 5_000;
const KNOWN_SCOPES = new Set<string>(SCOPES);

/** Verifies the tokens of one OpenID Connect issuer by its published keys (RFC 8725). */
export class TokenVerifier {
  private keys: Promise<JWTVerifyGetKey> | null = null;

  constructor(
    private readonly settings: TokenSettings,
    private readonly tenants: Pick<TenantStore, 'find'>,
    private readonly clock: Clock,
  ) {}

  /** Rejects with `Unauthenticated`, or with `IssuerUnavailable` if the keys cannot be fetched. */
  async verify(token: string): Promise<Caller & { readonly expiresAtMs: number }> {
    const claims = await this.claimsOf(token);
    const tenantId = claims[this.settings.tenantClaim];
    const isTenant = uuid.safeParse(tenantId).success && (await this.tenants.find(tenantId as string)) !== null;
    if (!isTenant || claims.exp === undefined || !this.livesShortly(claims)) throw new Unauthenticated();
    return {
      tenantId: (tenantId as string).toLowerCase(),
      keyId: claims.sub ?? 'token',
      scopes: scopesOf(claims, this.settings),
      expiresAtMs: claims.exp * 1_000,
    };
  }

  /** A long-lived token is a key that cannot be revoked. */
  private livesShortly({ iat, exp }: JWTPayload): boolean {
    return iat !== undefined && exp !== undefined && exp - iat <= this.settings.maxTokenSeconds;
  }

  private async claimsOf(token: string): Promise<JWTPayload> {
    const { issuer, audience } = this.settings;
    try {
      const { payload } = await jwtVerify(token, await this.issuerKeys(), {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        requiredClaims: ['exp'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: this.clock.now(),
      });
      return payload;
    } catch (error) {
      if (isIssuersFault(error)) throw new IssuerUnavailable({ cause: error });
      throw new Unauthenticated();
    }
  }

  private issuerKeys(): Promise<JWTVerifyGetKey> {
    this.keys ??= this.discover().catch((error: unknown) => {
      // The next token retries.
      this.keys = null;
      throw new IssuerUnavailable({ cause: error });
    });
    return this.keys;
  }

  private async discover(): Promise<JWTVerifyGetKey> {
    const { issuer } = this.settings;
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const response = await fetch(url, { signal: AbortSignal.timeout(DISCOVERY_MS), redirect: 'error' });
    if (!response.ok) throw new Error(`The issuer answered ${response.status}.`);
    const document = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown };
    if (document.issuer !== issuer) throw new Error('The discovery document names another issuer.');
    return createRemoteJWKSet(new URL(String(document.jwks_uri)), {
      cacheMaxAge: KEYS_MAX_AGE_MS,
      cooldownDuration: KEYS_COOLDOWN_MS,
    });
  }
}

/**
 * Keys could not be fetched, so the token's validity is unknown. A key that the issuer does not list is the token's
 * error.
 */
const isIssuersFault = (error: unknown): boolean =>
  error instanceof IssuerUnavailable ||
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid ||
  !(error instanceof errors.JOSEError) ||
  error.code === 'ERR_JOSE_GENERIC';

/** Space-separated words, as in OAuth, or a list. */
const valuesOf = (claim: unknown): string[] =>
  typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim.map(String) : [];

/** The known scopes in the claim; others are ignored. */
const scopesOf = (claims: JWTPayload, { scopeClaim, scopeMap }: TokenSettings): string[] => {
  const { scope, scp } = claims;
  const values = scopeClaim === undefined ? valuesOf(scope ?? scp) : valuesOf(claims[scopeClaim]);
  const scopes = scopeMap.size === 0 ? values : values.flatMap((value) => scopeMap.get(value) ?? []);
  return [...new Set(scopes)].filter((name) => KNOWN_SCOPES.has(name));
};
