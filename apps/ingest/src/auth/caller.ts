/** Who asks, once we know. */
export interface Caller {
  readonly tenantId: string;
  /** The key's id, or whom a token names. */
  readonly keyId: string;
  readonly scopes: readonly string[];
}
