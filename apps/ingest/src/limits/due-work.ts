import type { PgTenantUsage } from '@turnkeeper/postgres';
import type { routes } from '@turnkeeper/contracts';
import type { connectorRoutes, inworldRoutes } from '@turnkeeper/vendors';
import { TooMuchDueWork } from '@turnkeeper/domain';
import type { KnownLimits } from './known-limits.js';

/** Routes that create deferrable work without an event. */
const ASK_FOR_WORK: ReadonlySet<string> = new Set<
  keyof typeof routes | keyof typeof connectorRoutes | keyof typeof inworldRoutes
>([
  'generateFromContent',
  'generateFromSession',
  'captureMemoryState',
  'replayParkedWindows',
  'replayWebhookDelivery',
  'replayWebhookDeliveries',
  'sendWebhookDeliveryNow',
  'sendWebhookDeliveriesNow',
  'retryConnectorNotices',
]);

/** How long a count is cached. */
const BELIEVED_MS = 1_000;
const MAX_TENANTS = 10_000;

/** Rejects requests that create more work for a tenant with too much due. Never rejects appends. */
export class DueWorkGate {
  private readonly counts = new Map<string, { readonly due: Promise<number>; readonly until: number }>();

  constructor(
    private readonly limits: Pick<KnownLimits, 'of'>,
    private readonly usage: Pick<PgTenantUsage, 'dueWork'>,
    private readonly monotonicMs = (): number => performance.now(),
  ) {}

  /** Rejects with `TooMuchDueWork`. Costs nothing for routes that create no work. */
  check(routeId: string | undefined, tenantId: string): void | Promise<void> {
    const most = routeId !== undefined && ASK_FOR_WORK.has(routeId) ? this.limits.of(tenantId).dueWork : null;
    if (most === null) return;
    return this.countOf(tenantId, most).then((due) => {
      if (due > most) throw new TooMuchDueWork(most);
    });
  }

  private countOf(tenantId: string, most: number): Promise<number> {
    const now = this.monotonicMs();
    const known = this.counts.get(tenantId);
    if (known !== undefined && known.until > now) return known.due;
    if (this.counts.size >= MAX_TENANTS) this.counts.clear();
    const due = this.usage.dueWork(tenantId, most + 1);
    this.counts.set(tenantId, { due, until: now + BELIEVED_MS });
    // Do not cache a failed count.
    due.catch(() => this.counts.delete(tenantId));
    return due;
  }
}
