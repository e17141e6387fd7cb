/** Returns a tenant's current limit; null for unlimited. */
export type MostOf = (tenantId: string) => Promise<number | null>;
