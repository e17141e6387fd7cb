import { DomainError } from '../errors.js';

/** What decides whether a key is taken. Times are ISO 8601. */
export interface KeyLife {
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

/** True while a key may be used. */
export const isKeyLive = ({ expiresAt, revokedAt }: KeyLife, now: Date): boolean =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now.getTime());

/** Days that a key for administration lives where nothing else is said. */
export const ADMIN_KEY_DAYS = 90;

/** Days that a key lives where nothing else is said: one for administration must be renewed; null for any time. */
export const defaultKeyDays = (scopes: readonly string[]): number | null =>
  scopes.includes('admin') ? ADMIN_KEY_DAYS : null;

/** Longest time that a key goes on beside the one that replaces it. */
export const MAX_OVERLAP_HOURS = 168;

/** When a key that is replaced ends: after the overlap, but never later than it would have ended anyway. */
export const endOfOverlap = (key: KeyLife, now: Date, overlapHours: number): string => {
  const end = new Date(now.getTime() + overlapHours * 3_600_000).toISOString();
  return key.expiresAt !== null && key.expiresAt < end ? key.expiresAt : end;
};

export class TenantNotFound extends DomainError {
  readonly code = 'tenant.not_found';
  readonly kind = 'not_found';
  constructor() {
    super('There is no such tenant.', {
      field: 'tenantId',
      rule: 'must name a tenant of this installation',
      next: 'List the tenants with GET /v1/admin/tenants and use an id from there.',
    });
  }
}

export class TenantNameTaken extends DomainError {
  readonly code = 'tenant.name_taken';
  readonly kind = 'conflict';
  constructor() {
    super('A tenant of this name exists already.', {
      field: 'name',
      rule: 'must be unique',
      next: 'Choose another name.',
    });
  }
}

export class KeyNotFound extends DomainError {
  readonly code = 'key.not_found';
  readonly kind = 'not_found';
  constructor() {
    super('There is no such key.', {
      field: 'keyId',
      rule: 'must name a key of this tenant',
      next: "List the tenant's keys and use an id from there.",
    });
  }
}

/** A key of one memory or actor cannot be an operator's, who reaches all tenants. */
export class RestrictedAdminKey extends DomainError {
  readonly code = 'key.restricted_admin';
  readonly kind = 'invalid';
  constructor() {
    super('A key for one memory or actor cannot have the scope admin.', {
      field: 'scopes',
      rule: 'must not hold admin together with memoryId or actorId',
      next: 'Leave out the scope admin, or make a key without memoryId and actorId.',
    });
  }
}

export class KeyNotLive extends DomainError {
  readonly code = 'key.not_live';
  readonly kind = 'conflict';
  constructor() {
    super('The key has expired or was revoked.', {
      field: 'keyId',
      rule: 'must name a key that is neither expired nor revoked',
      next: 'Create a new key.',
    });
  }
}
