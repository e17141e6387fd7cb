/** A tenant's used time counts half after this long. */
const HALF_LIFE_MS = 10_000;
/** Used time below this counts as none. */
const FORGOTTEN_MS = 1;

interface Waiting {
  readonly tenantId: string;
  readonly start: () => void;
}

interface Used {
  usedMs: number;
  readMs: number;
}

interface Usage extends Used {
  running: number;
}

/**
 * Shares slots among tenants by used time instead of task count: a free slot goes to the tenant that used the least
 * recently. One tenant never occupies all slots, so another tenant's task waits for at most one of its running tasks. A tenant
 * that had no task starts where the others are, or it would go first for as long as they have worked.
 */
export class FairQueue {
  private readonly waiting: Waiting[] = [];
  private readonly tenants = new Map<string, Usage>();
  private running = 0;
  /** What the tenant of the newest task had used when that was started. */
  private reached: Used = { usedMs: 0, readMs: 0 };

  /**
   * @param slots maximum number of concurrent tasks
   * @param monotonicMs monotonic clock in ms
   */
  constructor(
    private readonly slots: number,
    private readonly monotonicMs: () => number,
  ) {}

  /** Number of queued tasks. */
  get size(): number {
    return this.waiting.length;
  }

  /** Runs the task when it is the tenant's turn. Rejects with the signal's reason if it aborts before that. */
  async run<T>(tenantId: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    await this.turn(tenantId, signal);
    const startedMs = this.monotonicMs();
    try {
      return await task();
    } finally {
      const usage = this.usageOf(tenantId);
      this.running -= 1;
      usage.running -= 1;
      const now = this.monotonicMs();
      usage.usedMs = usedBy(usage, now) + now - startedMs;
      usage.readMs = now;
      this.startWaiting();
      this.forgetIdle();
    }
  }

  /** Resolves when the tenant gets a slot. */
  private turn(tenantId: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        tenantId,
        start: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(entry), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.join(tenantId);
      this.waiting.push(entry);
      this.startWaiting();
    });
  }

  private join(tenantId: string): void {
    const usage = this.usageOf(tenantId);
    if (usage.running > 0 || this.waiting.some((entry) => entry.tenantId === tenantId)) return;
    const now = this.monotonicMs();
    usage.usedMs = Math.max(usedBy(usage, now), usedBy(this.reached, now));
    usage.readMs = now;
  }

  private startWaiting(): void {
    for (let next = this.next(); next !== null; next = this.next()) {
      this.waiting.splice(this.waiting.indexOf(next), 1);
      this.running += 1;
      const usage = this.usageOf(next.tenantId);
      usage.running += 1;
      const now = this.monotonicMs();
      this.reached = { usedMs: Math.max(usedBy(usage, now), usedBy(this.reached, now)), readMs: now };
      next.start();
    }
  }

  /** The queued task of the tenant with the least used time, oldest first; null if no tenant may start one. */
  private next(): Waiting | null {
    let next: Waiting | null = null;
    let least = Infinity;
    // One time for all: a later one would prefer the last task of a tenant.
    const now = this.monotonicMs();
    for (const entry of this.running < this.slots ? this.waiting : []) {
      if (!this.hasRoom(entry.tenantId)) continue;
      const used = usedBy(this.usageOf(entry.tenantId), now);
      if (used < least) [next, least] = [entry, used];
    }
    return next;
  }

  private hasRoom(tenantId: string): boolean {
    return (this.tenants.get(tenantId)?.running ?? 0) < Math.max(this.slots - 1, 1);
  }

  private usageOf(tenantId: string): Usage {
    let usage = this.tenants.get(tenantId);
    if (usage === undefined) {
      usage = { usedMs: 0, readMs: this.monotonicMs(), running: 0 };
      this.tenants.set(tenantId, usage);
    }
    return usage;
  }

  private forgetIdle(): void {
    const now = this.monotonicMs();
    for (const [tenantId, usage] of this.tenants) {
      if (usage.running === 0 && usedBy(usage, now) < FORGOTTEN_MS) this.tenants.delete(tenantId);
    }
  }
}

const usedBy = ({ usedMs, readMs }: Used, now: number): number => usedMs * 0.5 ** ((now - readMs) / HALF_LIFE_MS);
