/** Scopes of keys and tokens. */
export const SCOPES = [
  'memory:read',
  'memory:write',
  /** The part of `memory:read` without exports. */
  'content:read',
  /** The part of `memory:write` that adds and corrects content; it configures, deletes and imports nothing. */
  'content:write',
  /** Memories and their strategies: create them and change their settings. */
  'memory:configure',
  /** Deletes and erases. */
  'memory:delete',
  'memory:export',
  'memory:import',
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
export const APPLICATION_SCOPES: readonly Scope[] = [
  'memory:read',
  'memory:write',
  'agents:read',
  'agents:write',
  'webhooks:admin',
  'vendors:admin',
];

/**
 * Other scopes that are enough for a route with this one. `memory:read` and `memory:write` allow what they allowed before
 * narrower scopes existed, so that keys and tokens made then keep working.
 */
const ALSO_ENOUGH: Partial<Readonly<Record<Scope, Scope>>> = {
  'memory:read': 'content:read',
  'memory:write': 'content:write',
  'memory:configure': 'memory:write',
  'memory:delete': 'memory:write',
  'memory:export': 'memory:read',
  'memory:import': 'memory:write',
};

/** Each scope that is enough for a route with this one, the broadest first. */
export const scopesEnoughFor = (needed: Scope): readonly [Scope, ...Scope[]] => {
  const other = ALSO_ENOUGH[needed];
  if (other === undefined) return [needed];
  return other.startsWith('content:') ? [needed, other] : [other, needed];
};

/** Whether a caller with these scopes may call a route that needs this one. */
export const allowsScope = (scopes: readonly string[], needed: Scope): boolean => {
  const other = ALSO_ENOUGH[needed];
  return scopes.includes(needed) || (other !== undefined && scopes.includes(other));
};

/** The scopes of all routes that a caller with these scopes may call. */
export const scopesAllowedBy = (scopes: readonly string[]): Scope[] =>
  SCOPES.filter((needed) => allowsScope(scopes, needed));
