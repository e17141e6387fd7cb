import type { TenantUsage } from '@turnkeeper/application';
import type { routes } from '@turnkeeper/contracts';
import { TooMuchDueWork } from '@turnkeeper/domain';
import type { KnownLimits } from './known-limits.js';

/** Routes that ask for work which no event asks for: it can wait until other work is done. */
const ASK_FOR_WORK: ReadonlySet<string> = new Set<keyof typeof routes>([
  'generateFromContent',
  'generateFromSession',
  'captureMemoryState',
  'replayParkedWindows',
  'replayWebhookDelivery',
  'replayWebhookDeliveries',
  'retryConnectorNotices',
]);

/** How long a count is believed. */
const BELIEVED_MS = 1_000;
const MAX_TENANTS = 10_000;

/** Refuses requests for more work of a tenant that has too much of it. Appends are never refused for it. */
export class DueWorkGate {
  private readonly counts = new Map<string, { readonly due: Promise<number>; readonly until: number }>();

  constructor(
    private readonly limits: Pick<KnownLimits, 'of'>,
    private readonly usage: Pick<TenantUsage, 'dueWork'>,
    private readonly monotonicMs = (): number => performance.now(),
  ) {}

  /** Rejects with `TooMuchDueWork`. Costs nothing for routes that ask for no work. */
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
    // A count that failed is not believed.
    due.catch(() => this.counts.delete(tenantId));
    return due;
  }
}
