import { CONNECTION_TIMEOUT_MS } from './connection-settings.js';
import { POOL_EXHAUSTED } from './database-away.js';

/**
 * Shares the connections of a pool among tenants: those with waiting statements get the next free connection in turn. In the
 * pool's own queue, a statement would wait for all that another tenant's requests had asked for before.
 */
export class TenantTurns {
  /** For metrics, beside the pool's own: see `waitingCount`. */
  readonly totalCount = 0;
  readonly idleCount = 0;
  private free: number;
  /** By tenant, in the order of their turns. */
  private readonly waiting = new Map<string, (() => void)[]>();

  /**
   * @param connections of the pool
   * @param maxWaitMs maximum time that a statement waits
   */
  constructor(
    connections: number,
    private readonly maxWaitMs = CONNECTION_TIMEOUT_MS,
  ) {
    this.free = connections;
  }

  /** Number of waiting statements. They are no longer counted by the pool. */
  get waitingCount(): number {
    let count = 0;
    for (const { length } of this.waiting.values()) count += length;
    return count;
  }

  /** Runs work on one connection when it is the tenant's turn. Rejects as the pool does if no connection gets free in time. */
  async run<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await this.turnOf(tenantId);
    try {
      return await work();
    } finally {
      this.next();
    }
  }

  private turnOf(tenantId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        const left = this.waiting.get(tenantId)?.filter((other) => other !== start) ?? [];
        if (left.length > 0) this.waiting.set(tenantId, left);
        else this.waiting.delete(tenantId);
        reject(new Error(POOL_EXHAUSTED));
      };
      const timer = setTimeout(giveUp, this.maxWaitMs);
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const own = this.waiting.get(tenantId);
      if (own === undefined) this.waiting.set(tenantId, [start]);
      else own.push(start);
    });
  }

  /** Passes a connection on. */
  private next(): void {
    for (const [tenantId, own] of this.waiting) {
      this.waiting.delete(tenantId);
      const start = own.shift();
      if (own.length > 0) this.waiting.set(tenantId, own);
      return start?.();
    }
    this.free += 1;
  }
}
