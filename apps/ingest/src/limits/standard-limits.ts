import type { TenantLimits } from '@turnkeeper/domain';
import type { Settings } from '@turnkeeper/platform';

type LimitSettings = Pick<
  Settings,
  | 'RATE_LIMIT_BYTES_PER_SECOND'
  | 'RATE_LIMIT_PER_SECOND'
  | 'TENANT_MAX_CONNECTORS'
  | 'TENANT_MAX_DUE_WORK'
  | 'TENANT_MAX_INSTANCE_MAPPINGS'
  | 'TENANT_MAX_KEYS'
  | 'TENANT_MAX_MEMORIES'
  | 'TENANT_MAX_REQUESTS_IN_FLIGHT'
  | 'TENANT_MAX_VENDOR_AGENTS'
  | 'WEBHOOK_ENDPOINTS_PER_TENANT'
>;

/** For rates and instance mappings, 0 means no limit. */
const unlessZero = (setting: number): number | null => (setting === 0 ? null : setting);

/** The installation's default limits. */
export const standardLimits = (settings: LimitSettings): TenantLimits => ({
  requestsPerSecond: unlessZero(settings.RATE_LIMIT_PER_SECOND),
  bytesPerSecond: unlessZero(settings.RATE_LIMIT_BYTES_PER_SECOND),
  requestsInFlight: settings.TENANT_MAX_REQUESTS_IN_FLIGHT,
  memories: settings.TENANT_MAX_MEMORIES,
  keys: settings.TENANT_MAX_KEYS,
  webhookEndpoints: settings.WEBHOOK_ENDPOINTS_PER_TENANT,
  connectors: settings.TENANT_MAX_CONNECTORS,
  vendorAgents: settings.TENANT_MAX_VENDOR_AGENTS,
  instanceMappings: unlessZero(settings.TENANT_MAX_INSTANCE_MAPPINGS),
  dueWork: settings.TENANT_MAX_DUE_WORK,
});
