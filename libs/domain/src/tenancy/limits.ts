import { DomainError } from '../errors.js';

/** Names of a tenant's limits, as spelled in the API. */
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

/** A tenant's effective limits; null for no limit. */
export type TenantLimits = Readonly<Record<LimitName, number | null>>;

/** Limits set for one tenant; absent ones use the installation's default. */
export type OwnLimits = Readonly<Partial<Record<LimitName, number>>>;

/** A tenant's own limits, with the installation's defaults for the rest. */
export const limitsOf = (standard: TenantLimits, own: OwnLimits): TenantLimits => ({ ...standard, ...own });

/** The tenant has reached its limit of memories. */
export class TooManyMemories extends DomainError {
  readonly code = 'tenant.too_many_memories';
  readonly kind = 'conflict';
  constructor(most: number) {
    super(`The tenant has ${most.toLocaleString('en-US')} memories, the maximum.`, {
      title: 'The tenant has the maximum number of memories.',
      rule: 'must stay within the limit `memories` of GET /v1/limits',
      next: 'Delete a memory that is no longer used, or store end users as actors of one memory.',
    });
  }
}

/** The tenant has reached its limit of valid keys. */
export class TooManyKeys extends DomainError {
  readonly code = 'tenant.too_many_keys';
  readonly kind = 'conflict';
  constructor(most: number) {
    super(`The tenant has ${most.toLocaleString('en-US')} valid keys, the maximum.`, {
      title: 'The tenant has the maximum number of keys.',
      rule: 'must stay within the limit `keys` of GET /v1/limits',
      next: 'Revoke a key that is no longer used.',
    });
  }
}

/** The tenant has too much pending work to request more. Work caused by events is never refused. */
export class TooMuchDueWork extends DomainError {
  readonly code = 'tenant.too_much_due_work';
  readonly kind = 'limited';
  constructor(most: number) {
    super(`More than ${most.toLocaleString('en-US')} work items of this tenant are due.`, {
      title: 'This tenant has too much pending work.',
      rule: 'must stay within the limit `dueWork` of GET /v1/limits',
      next: 'Wait until some of it is done; GET /v1/limits shows how much remains.',
      facts: { retryAfterSeconds: 5 },
    });
  }
}
