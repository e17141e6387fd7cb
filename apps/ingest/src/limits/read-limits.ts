import type { RateBudgets, RateKind } from '@turnkeeper/application';
import type { PgTenantUsage } from '@turnkeeper/postgres';
import type { routes, OutputOf } from '@turnkeeper/contracts';
import type { InFlight } from './in-flight.js';
import type { KnownLimits } from './known-limits.js';
import { BURST_SECONDS } from './leased-share.js';

type View = OutputOf<typeof routes.getLimits>['limits'][number];

/** Returns a tenant's limits and usage across all processes, from what is stored. */
export class ReadLimits {
  constructor(
    private readonly deps: {
      readonly limits: KnownLimits;
      readonly usage: PgTenantUsage;
      readonly budgets: RateBudgets;
      readonly inFlight: InFlight;
    },
  ) {}

  async execute(tenantId: string): Promise<View[]> {
    const { usage, inFlight } = this.deps;
    const limits = await this.deps.limits.current(tenantId);
    return Promise.all([
      this.rate('requestsPerSecond', 'requests', tenantId, limits.requestsPerSecond),
      this.rate('bytesPerSecond', 'bytes', tenantId, limits.bytesPerSecond),
      { ...count('requestsInFlight', limits.requestsInFlight, inFlight.of(tenantId)), perProcess: true },
      usage.memories(tenantId).then((used) => count('memories', limits.memories, used)),
      usage.keys(tenantId).then((used) => count('keys', limits.keys, used)),
      usage.webhookEndpoints(tenantId).then((used) => count('webhookEndpoints', limits.webhookEndpoints, used)),
      usage.connectors(tenantId).then((used) => count('connectors', limits.connectors, used)),
      usage.vendorAgents(tenantId).then((used) => count('vendorAgents', limits.vendorAgents, used)),
      this.mappings(tenantId, limits.instanceMappings),
      usage
        .dueWork(tenantId, (limits.dueWork ?? MAX_COUNTED) + 1)
        .then((used) => count('dueWork', limits.dueWork, used)),
    ]);
  }

  /** What the tenant's model cost in the last 31 days, newest first. */
  modelUsage(tenantId: string): Promise<OutputOf<typeof routes.getLimits>['modelUsage']> {
    return this.deps.usage.modelUsage(tenantId);
  }

  private async mappings(tenantId: string, limit: number | null): Promise<View> {
    return count(
      'instanceMappings',
      limit,
      limit === null ? 0 : await this.deps.usage.instanceMappings(tenantId, limit + 1),
    );
  }

  private async rate(name: View['name'], kind: RateKind, tenantId: string, perSecond: number | null): Promise<View> {
    if (perSecond === null) return { ...count(name, null, 0) };
    const burst = perSecond * BURST_SECONDS;
    const left = Math.min(burst, (await this.deps.budgets.left(tenantId, kind)) ?? burst);
    const remaining = Math.max(0, Math.floor(left));
    return {
      name,
      limit: perSecond,
      burst,
      used: burst - remaining,
      remaining,
      perProcess: false,
      resetSeconds: Math.max(0, Math.round(((burst - left) / perSecond) * 1_000) / 1_000),
    };
  }
}

/** Without a limit, due work is counted up to this number. */
const MAX_COUNTED = 1_000_000;

const count = (name: View['name'], limit: number | null, used: number): View => ({
  name,
  limit,
  used,
  burst: null,
  resetSeconds: null,
  perProcess: false,
  remaining: limit === null ? null : Math.max(0, limit - used),
});
