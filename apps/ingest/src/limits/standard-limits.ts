import type { TenantLimits } from '@turnkeeper/domain';
import type { Settings } from '@turnkeeper/platform';

type LimitSettings = Pick<
  Settings,
  | 'RATE_LIMIT_BYTES_PER_SECOND'
  | 'RATE_LIMIT_PER_SECOND'
  | 'TENANT_MAX_DUE_WORK'
  | 'TENANT_MAX_KEYS'
  | 'TENANT_MAX_MEMORIES'
  | 'TENANT_MAX_REQUESTS_IN_FLIGHT'
  | 'WEBHOOK_ENDPOINTS_PER_TENANT'
>;

/** For rates, 0 means no limit. */
const rate = (setting: number): number | null => (setting === 0 ? null : setting);

/** The installation's default limits. */
export const standardLimits = (settings: LimitSettings): TenantLimits => ({
  requestsPerSecond: rate(settings.RATE_LIMIT_PER_SECOND),
  bytesPerSecond: rate(settings.RATE_LIMIT_BYTES_PER_SECOND),
  requestsInFlight: settings.TENANT_MAX_REQUESTS_IN_FLIGHT,
  memories: settings.TENANT_MAX_MEMORIES,
  keys: settings.TENANT_MAX_KEYS,
  webhookEndpoints: settings.WEBHOOK_ENDPOINTS_PER_TENANT,
  dueWork: settings.TENANT_MAX_DUE_WORK,
});
