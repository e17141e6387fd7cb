import { LogUnavailable } from '../ports/event-store.port.js';

/** What may wait for one tenant. Each holds the texts of its request. */
const MOST_WAITING = 100;

/**
 * Runs large pieces of work one at a time. Tenants take turns, so one that sends many holds up another one by a single
 * piece. Small work does not ask here: what this leaves free of the database and of the event loop is for that.
 */
export class TenantTurns {
  /** What waits, by tenant; the tenant whose turn is next comes first. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private busy = false;

  constructor(private readonly mostWaiting = MOST_WAITING) {}

  /** @throws LogUnavailable when too much of the tenant's work is waiting already */
  async run<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    if (this.busy) await this.turnOf(tenantId);
    this.busy = true;
    try {
      return await work();
    } finally {
      this.passOn();
    }
  }

  private turnOf(tenantId: string): Promise<void> {
    const line = this.waiting.get(tenantId) ?? [];
    if (line.length >= this.mostWaiting)
      throw new LogUnavailable('Too many large requests of this tenant are waiting.');
    this.waiting.set(tenantId, line);
    return new Promise((resolve) => {
      line.push(resolve);
    });
  }

  /** Stays busy where another one waits, so that no newcomer gets in between. */
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
