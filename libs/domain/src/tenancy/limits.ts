import { DomainError } from '../errors.js';

/** Names of the limits of one tenant, as the API spells them. */
export const LIMIT_NAMES = [
  'requestsPerSecond',
  'bytesPerSecond',
  'requestsInFlight',
  'memories',
  'keys',
  'webhookEndpoints',
  'dueWork',
] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];

/** What one tenant may do; null for no limit. */
export type TenantLimits = Readonly<Record<LimitName, number | null>>;

/** Limits of a tenant's own; what is absent is the installation's. */
export type OwnLimits = Readonly<Partial<Record<LimitName, number>>>;

/** A tenant's own limits, and the installation's for the rest. */
export const limitsOf = (standard: TenantLimits, own: OwnLimits): TenantLimits => ({ ...standard, ...own });

/** The tenant has as many memories as it may have. */
export class TooManyMemories extends DomainError {
  readonly code = 'tenant.too_many_memories';
  readonly kind = 'conflict';
  constructor(most: number) {
    super(`The tenant has ${most.toLocaleString('en-US')} memories, as many as it may have.`, {
      title: 'The tenant has as many memories as it may have.',
      rule: 'must stay within the limit `memories` of GET /v1/limits',
      next: 'Delete a memory that is no longer used, or keep end users apart as actors of one memory.',
    });
  }
}

/** The tenant has as many keys that are valid as it may have. */
export class TooManyKeys extends DomainError {
  readonly code = 'tenant.too_many_keys';
  readonly kind = 'conflict';
  constructor(most: number) {
    super(`The tenant has ${most.toLocaleString('en-US')} valid keys, as many as it may have.`, {
      title: 'The tenant has as many keys as it may have.',
      rule: 'must stay within the limit `keys` of GET /v1/limits',
      next: 'Revoke a key that is no longer used.',
    });
  }
}

/** So much work of the tenant is due that no more can be asked for; what follows from events is not refused. */
export class TooMuchDueWork extends DomainError {
  readonly code = 'tenant.too_much_due_work';
  readonly kind = 'limited';
  constructor(most: number) {
    super(`More than ${most.toLocaleString('en-US')} pieces of work of this tenant are due.`, {
      title: 'Too much work of this tenant is due.',
      rule: 'must stay within the limit `dueWork` of GET /v1/limits',
      next: 'Wait until some of it is done; GET /v1/limits shows how much is left.',
      facts: { retryAfterSeconds: 5 },
    });
  }
}
