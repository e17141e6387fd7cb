/** What a key or token may be allowed to do. */
export const SCOPES = [
  'memory:read',
  'memory:write',
  'agents:read',
  'agents:write',
  'webhooks:admin',
  /** Projects at voice platforms, with their secrets. */
  'vendors:admin',
  /** Who did what in the tenant: for an auditor. */
  'audit:read',
  /** Tenants and everybody's keys: for the installation's operator, never for an application. */
  'admin',
] as const;
export type Scope = (typeof SCOPES)[number];

/** What an application's key gets when nothing else is said. */
export const APPLICATION_SCOPES: readonly Scope[] = SCOPES.filter(
  (scope) => scope !== 'admin' && scope !== 'audit:read',
);
