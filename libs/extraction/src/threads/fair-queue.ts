/** The time a tenant has used counts half after so long. */
const HALF_LIFE_MS = 10_000;
/** Below this, a tenant counts as one that has used nothing. */
const FORGOTTEN_MS = 1;

interface Waiting {
  readonly tenantId: string;
  readonly start: () => void;
}

interface Usage {
  usedMs: number;
  readMs: number;
  running: number;
}

/**
 * Shares a few slots among tenants by the time that they use, not by how many tasks they have: a free slot goes to the
 * tenant that has used the least lately. One tenant never holds all slots, so that a task of another tenant waits for
 * one running task of that tenant at most.
 */
export class FairQueue {
  private readonly waiting: Waiting[] = [];
  private readonly tenants = new Map<string, Usage>();
  private running = 0;

  /**
   * @param slots tasks that run at the same time
   * @param monotonicMs milliseconds of a clock that never jumps
   */
  constructor(
    private readonly slots: number,
    private readonly monotonicMs: () => number,
  ) {}

  /** Tasks that wait for a slot. */
  get size(): number {
    return this.waiting.length;
  }

  /** Runs the task when it is the tenant's turn. Rejects with the signal's reason when it aborts before that. */
  async run<T>(tenantId: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    await this.turn(tenantId, signal);
    const startedMs = this.monotonicMs();
    try {
      return await task();
    } finally {
      const usage = this.usageOf(tenantId);
      this.running -= 1;
      usage.running -= 1;
      usage.usedMs = this.usedBy(usage) + this.monotonicMs() - startedMs;
      usage.readMs = this.monotonicMs();
      this.startWaiting();
      this.forgetIdle();
    }
  }

  /** Resolves when the tenant has a slot. */
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
      this.waiting.push(entry);
      this.startWaiting();
    });
  }

  private startWaiting(): void {
    for (let next = this.next(); next !== null; next = this.next()) {
      this.waiting.splice(this.waiting.indexOf(next), 1);
      this.running += 1;
      this.usageOf(next.tenantId).running += 1;
      next.start();
    }
  }

  /** The waiting task whose tenant has used the least, oldest first; null where none has room. */
  private next(): Waiting | null {
    let next: Waiting | null = null;
    let least = Infinity;
    for (const entry of this.running < this.slots ? this.waiting : []) {
      if (!this.hasRoom(entry.tenantId)) continue;
      const used = this.usedBy(this.usageOf(entry.tenantId));
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

  private usedBy({ usedMs, readMs }: Usage): number {
    return usedMs * 0.5 ** ((this.monotonicMs() - readMs) / HALF_LIFE_MS);
  }

  private forgetIdle(): void {
    for (const [tenantId, usage] of this.tenants) {
      if (usage.running === 0 && this.usedBy(usage) < FORGOTTEN_MS) this.tenants.delete(tenantId);
    }
  }
}
