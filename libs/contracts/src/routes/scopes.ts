/** Scopes of keys and tokens. */
export const SCOPES = [
  'memory:read',
  'memory:write',
  'agents:read',
  'agents:write',
  'webhooks:admin',
  /** Apps on voice platforms, with their secrets. */
  'vendors:admin',
  /** The tenant's audit log, for an auditor. */
  'audit:read',
  /** Tenants and all keys: for the installation's operator, never for an application. */
  'admin',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Default scopes of an application's key. */
export const APPLICATION_SCOPES: readonly Scope[] = SCOPES.filter(
  (scope) => scope !== 'admin' && scope !== 'audit:read',
);
