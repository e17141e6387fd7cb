import { LogUnavailable } from '../log/event-store.port.js';

/** Maximum queue length per tenant. Each entry holds the texts of its request. */
const MAX_WAITING = 100;

/**
 * Runs large pieces of work one at a time, round robin over the tenants, so that a busy tenant delays another by one
 * piece only. Small work bypasses this queue and uses the remaining capacity of the database and the event loop.
 */
export class TenantQueue {
  /** Waiting work by tenant; the tenant to run next comes first. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private busy = false;

  constructor(private readonly mostWaiting = MAX_WAITING) {}

  /** @throws LogUnavailable if the tenant's queue is full */
  async run<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    if (this.busy) await this.inLine(tenantId);
    this.busy = true;
    try {
      return await work();
    } finally {
      this.passOn();
    }
  }

  private inLine(tenantId: string): Promise<void> {
    const line = this.waiting.get(tenantId) ?? [];
    if (line.length >= this.mostWaiting)
      throw new LogUnavailable('Too many large requests of this tenant are waiting.');
    this.waiting.set(tenantId, line);
    return new Promise((resolve) => {
      line.push(resolve);
    });
  }

  /** Stays busy while work is waiting, so that newcomers cannot jump the queue. */
  private passOn(): void {
    const [next] = this.waiting;
    this.busy = next !== undefined;
    if (next === undefined) return;
    const [tenantId, line] = next;
    const begin = line.shift();
    this.waiting.delete(tenantId);
    if (line.length > 0) this.waiting.set(tenantId, line);
    begin?.();
  }
}
