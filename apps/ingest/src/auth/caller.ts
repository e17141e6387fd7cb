/** The authenticated caller. */
export interface Caller {
  readonly tenantId: string;
  /** The key's id, or the token's subject. */
  readonly keyId: string;
  readonly scopes: readonly string[];
  /** What a key restricted to one memory or actor can reach; absent if the caller can reach the whole tenant. */
  readonly reach?: { readonly memoryId: string | null; readonly actorId: string | null };
}
