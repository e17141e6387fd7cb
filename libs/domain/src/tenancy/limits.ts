import { refusal } from '../errors.js';

/** Names of a tenant's limits, as spelled in the API. */
export const LIMIT_NAMES = [
  'requestsPerSecond',
  'bytesPerSecond',
  'requestsInFlight',
  'memories',
  'keys',
  'webhookEndpoints',
  'connectors',
  'vendorAgents',
  'instanceMappings',
  'dueWork',
] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];

/** A tenant's effective limits; null for no limit. */
export type TenantLimits = Readonly<Record<LimitName, number | null>>;

/** Limits set for one tenant; absent ones use the installation's default. */
export type OwnLimits = Readonly<Partial<Record<LimitName, number>>>;

/** A tenant's own limits, with the installation's defaults for the rest. */
export const limitsOf = (standard: TenantLimits, own: OwnLimits): TenantLimits => ({ ...standard, ...own });

/** The base class of an error about a limit of stored things. Its argument is the maximum. */
const tooMany = <const Code extends string>(code: Code, limit: LimitName, { things, next }: LimitWording) =>
  refusal(code, 'conflict', (most: number) => ({
    message: `The tenant has ${most.toLocaleString('en-US')} ${things}, the maximum.`,
    title: `The tenant has the maximum number of ${things}.`,
    rule: `must stay within the limit \`${limit}\` of GET /v1/limits`,
    next,
  }));
interface LimitWording {
  readonly things: string;
  readonly next: string;
}

export class TooManyMemories extends tooMany('tenant.too_many_memories', 'memories', {
  things: 'memories',
  next: 'Delete a memory that is no longer used, or store end users as actors of one memory.',
}) {}

export class TooManyKeys extends tooMany('tenant.too_many_keys', 'keys', {
  things: 'valid keys',
  next: 'Revoke a key that is no longer used.',
}) {}

export class TooManyConnectors extends tooMany('tenant.too_many_connectors', 'connectors', {
  things: 'connectors and vendor apps',
  next: 'Delete one that is no longer used.',
}) {}

export class TooManyVendorAgents extends tooMany('tenant.too_many_vendor_agents', 'vendorAgents', {
  things: 'vendor agents',
  next: 'Unregister one that is no longer used.',
}) {}

export class TooManyMappings extends tooMany('tenant.too_many_mappings', 'instanceMappings', {
  things: 'instance mappings',
  next: 'Delete a connector whose calls are over, or ask the operator for a higher limit.',
}) {}

/** The tenant has too much pending work to request more. Work caused by events is never refused. */
export class TooMuchDueWork extends refusal('tenant.too_much_due_work', 'limited', (most: number) => ({
  message: `More than ${most.toLocaleString('en-US')} work items of this tenant are due.`,
  title: 'This tenant has too much pending work.',
  rule: 'must stay within the limit `dueWork` of GET /v1/limits',
  next: 'Wait until some of it is done; GET /v1/limits shows how much remains.',
  facts: { retryAfterSeconds: 5 },
})) {}
