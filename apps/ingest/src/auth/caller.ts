/** Who asks, once we know. */
export interface Caller {
  readonly tenantId: string;
  /** The key's id, or whom a token names. */
  readonly keyId: string;
  readonly scopes: readonly string[];
  /** What a key that was made for one memory or one actor reaches; absent for a caller that reaches all of the tenant. */
  readonly reach?: { readonly memoryId: string | null; readonly actorId: string | null };
}
