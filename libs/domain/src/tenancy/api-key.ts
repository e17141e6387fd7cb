import { refusal } from '../errors.js';

/** Determines whether a key is valid. Times are ISO 8601. */
export interface KeyLife {
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

/** Whether a key is valid at the given time. */
export const isKeyLive = ({ expiresAt, revokedAt }: KeyLife, now: Date): boolean =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now.getTime());

/** Default lifetime of an administration key, in days. */
const ADMIN_KEY_DAYS = 90;

/** Default lifetime of a key in days. Administration keys expire; others have no limit (null). */
export const defaultKeyDays = (scopes: readonly string[]): number | null =>
  scopes.includes('admin') ? ADMIN_KEY_DAYS : null;

/** Maximum time that a replaced key stays valid next to its successor. */
export const MAX_OVERLAP_HOURS = 168;

/** When a replaced key expires: after the overlap, but never later than its own expiry. */
export const endOfOverlap = (key: KeyLife, now: Date, overlapHours: number): string => {
  const end = new Date(now.getTime() + overlapHours * 3_600_000).toISOString();
  return key.expiresAt !== null && key.expiresAt < end ? key.expiresAt : end;
};

export class TenantNotFound extends refusal('tenant.not_found', 'not_found', {
  message: 'There is no such tenant.',
  field: 'tenantId',
  rule: 'must name a tenant of this installation',
  next: 'List the tenants with GET /v1/admin/tenants and use an id from there.',
}) {}

export class TenantIsCallers extends refusal('tenant.is_callers', 'conflict', {
  message: 'This is the tenant of the key or token in use.',
  field: 'tenantId',
  rule: "must not be the caller's own tenant",
  next: 'Delete it with a key of another tenant.',
}) {}

export class TenantNameTaken extends refusal('tenant.name_taken', 'conflict', {
  message: 'A tenant with this name already exists.',
  field: 'name',
  rule: 'must be unique',
  next: 'Choose another name.',
}) {}

export class KeyNotFound extends refusal('key.not_found', 'not_found', {
  message: 'There is no such key.',
  field: 'keyId',
  rule: 'must name a key of this tenant',
  next: "List the tenant's keys and use an id from there.",
}) {}

/** A key restricted to one memory or actor cannot have the admin scope, which covers all tenants. */
export class RestrictedAdminKey extends refusal('key.restricted_admin', 'invalid', {
  message: 'A key for one memory or actor cannot have the scope admin.',
  field: 'scopes',
  rule: 'must not contain admin together with memoryId or actorId',
  next: 'Omit the scope admin, or create a key without memoryId and actorId.',
}) {}

export class KeyNotLive extends refusal('key.not_live', 'conflict', {
  message: 'The key has expired or was revoked.',
  field: 'keyId',
  rule: 'must name a key that is neither expired nor revoked',
  next: 'Create a new key.',
}) {}
