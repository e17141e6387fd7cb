import { ActiveTenants } from './active-tenants.js';

/** A tenant counts as active for this long after a request. */
const ACTIVE_MS = 10_000;
/** Used time counts half after this long. */
const HALF_LIFE_MS = 5_000;
/** A tenant that used a quarter of the time of one CPU, in the long run, is above its share: a / (1 - 2^(-1/5)) s. */
const SHARE_MS = 0.25 * (HALF_LIFE_MS / Math.LN2);
/** Work of this cost has the weight 1. Costlier work weighs more, up to all slots. */
const UNIT_MS = 10;
/** Slots of a tenant below its share, and of one that is the only active one, as multiples of those above the share. */
const BELOW_SHARE = 2;
const ALONE = 8;
/** Work longer than this is followed by a rest of twice its length if the tenant has more to do. */
const LONG_MS = 40;
const REST = 2;
const MAX_REST_MS = 1_000;
/** How much the newest measurement changes the expected cost of a kind of work. */
const NEWEST = 0.2;
const MAX_TENANTS = 10_000;

/** Work in progress: what `begin` returns and `end` takes. */
export interface Work {
  readonly tenantId: string;
  readonly kind: string;
  readonly weight: number;
  readonly startedMs: number;
}

/** Names of kinds of work that are not shared by their cost alone. */
export interface WorkKinds {
  readonly bulk: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
}

interface Waiting {
  readonly kind: string;
  readonly start: (work: Work) => void;
}

interface Usage {
  usedMs: number;
  readMs: number;
  /** Sum of the weights in progress. */
  running: number;
  /** Number of works in progress, and the sum of their start times. */
  count: number;
  startsMs: number;
  restUntilMs: number;
  isWaking: boolean;
  /** Expected cost by kind of work, in milliseconds. */
  readonly costs: Map<string, number>;
  readonly waiting: Waiting[];
}

/**
 * Shares the process and its database among tenants by the time that their work takes, instead of by its number. While
 * other tenants are active, a tenant above its share works on few things at a time: their weights, which grow with their
 * measured cost, may not exceed its slots, and long ones are followed by a rest. The others wait. Tenants below their share
 * wait only if they start much at the same moment, and rest only after long writes, which the appends of all others wait for.
 * One that does one thing after the other waits for nothing but bulk.
 */
export class FairWork {
  private readonly tenants = new Map<string, Usage>();
  private readonly active = new ActiveTenants(ACTIVE_MS, () => this.monotonicMs());

  /**
   * @param slots of a tenant above its share while others are active
   * @param kinds.bulk work of many steps, of which each takes all slots and is followed by a rest
   * @param kinds.writes work that appends of all tenants wait for: long ones are followed by a rest below the share as well
   */
  constructor(
    private readonly slots: number,
    private readonly kinds: WorkKinds = { bulk: new Set(), writes: new Set() },
    private readonly monotonicMs = (): number => performance.now(),
    private readonly later = (ms: number, then: () => void): void => void setTimeout(then, ms).unref(),
  ) {}

  /** Notes a request of a tenant. */
  seen(tenantId: string): void {
    this.active.seen(tenantId);
  }

  /** Begins the work now, or returns null if it must wait: see `wait`. */
  begin(tenantId: string, kind: string): Work | null {
    const usage = this.usageOf(tenantId);
    if (usage.waiting.length > 0 || !this.mayBegin(tenantId, usage, kind)) return null;
    return this.beginNow(tenantId, usage, kind);
  }

  /** Begins the work when it is its turn. Rejects with the signal's reason if that aborts before. */
  wait(tenantId: string, kind: string, signal?: AbortSignal): Promise<Work> {
    const usage = this.usageOf(tenantId);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const at = usage.waiting.indexOf(entry);
        if (at !== -1) usage.waiting.splice(at, 1);
        reject(signal?.reason as Error);
      };
      const entry: Waiting = {
        kind,
        start: (work) => {
          signal?.removeEventListener('abort', leave);
          resolve(work);
        },
      };
      if (signal?.aborted === true) return leave();
      signal?.addEventListener('abort', leave, { once: true });
      usage.waiting.push(entry);
      this.startWaiting(tenantId, usage);
    });
  }

  end({ tenantId, kind, weight, startedMs }: Work): void {
    const now = this.monotonicMs();
    const tookMs = now - startedMs;
    const usage = this.usageOf(tenantId);
    usage.running -= weight;
    usage.count -= 1;
    usage.startsMs -= startedMs;
    usage.usedMs = decayed(usage, now) + tookMs;
    usage.readMs = now;
    const expected = usage.costs.get(kind) ?? tookMs;
    usage.costs.set(kind, expected + (tookMs - expected) * NEWEST);
    // One that waits for each answer before it asks again never rests: time is measured by the clock, so beside the load of
    // another tenant it would rest for as long as that load took.
    const wantsMore = usage.count > 0 || usage.waiting.length > 0;
    const isLong = this.kinds.bulk.has(kind) || (tookMs > LONG_MS && wantsMore);
    const isCharged = this.kinds.writes.has(kind) || this.isAboveShare(usage, now);
    if (isLong && isCharged && this.active.besides(tenantId)) {
      usage.restUntilMs = Math.max(usage.restUntilMs, now + Math.min(MAX_REST_MS, tookMs * REST));
    }
    this.startWaiting(tenantId, usage);
  }

  /** Seconds after which a tenant whose work waited in vain should try again. */
  retryAfterSeconds(tenantId: string): number {
    const { waiting, costs } = this.usageOf(tenantId);
    const expectedMs = waiting.reduce((sum, { kind }) => sum + (costs.get(kind) ?? UNIT_MS), 0);
    return Math.min(60, Math.max(1, Math.ceil(expectedMs / 1_000)));
  }

  private startWaiting(tenantId: string, usage: Usage): void {
    for (let next = usage.waiting[0]; next !== undefined; next = usage.waiting[0]) {
      if (!this.mayBegin(tenantId, usage, next.kind)) return this.wakeAfterRest(tenantId, usage);
      usage.waiting.shift();
      next.start(this.beginNow(tenantId, usage, next.kind));
    }
  }

  /** What waits for work to end is started by its end. */
  private wakeAfterRest(tenantId: string, usage: Usage): void {
    const restMs = usage.restUntilMs - this.monotonicMs();
    if (restMs <= 0 || usage.isWaking) return;
    usage.isWaking = true;
    this.later(Math.ceil(restMs), () => {
      usage.isWaking = false;
      this.startWaiting(tenantId, usage);
    });
  }

  private beginNow(tenantId: string, usage: Usage, kind: string): Work {
    const weight = this.weightOf(usage, kind);
    const startedMs = this.monotonicMs();
    usage.running += weight;
    usage.count += 1;
    usage.startsMs += startedMs;
    return { tenantId, kind, weight, startedMs };
  }

  /** The first work of a tenant may always begin, unless the tenant rests. */
  private mayBegin(tenantId: string, usage: Usage, kind: string): boolean {
    const now = this.monotonicMs();
    const hasOthers = this.active.besides(tenantId);
    if (hasOthers && usage.restUntilMs > now) return false;
    if (usage.count === 0) return true;
    const times = hasOthers ? (this.isAboveShare(usage, now) ? 1 : BELOW_SHARE) : ALONE;
    return usage.running + this.weightOf(usage, kind) <= this.slots * times;
  }

  private weightOf(usage: Usage, kind: string): number {
    if (this.kinds.bulk.has(kind)) return this.slots;
    return Math.min(this.slots, Math.max(1, (usage.costs.get(kind) ?? UNIT_MS) / UNIT_MS));
  }

  private isAboveShare(usage: Usage, now: number): boolean {
    return decayed(usage, now) + usage.count * now - usage.startsMs > SHARE_MS;
  }

  private usageOf(tenantId: string): Usage {
    let usage = this.tenants.get(tenantId);
    if (usage === undefined) {
      if (this.tenants.size >= MAX_TENANTS) this.forgetIdle();
      const now = this.monotonicMs();
      usage = {
        usedMs: 0,
        readMs: now,
        running: 0,
        count: 0,
        startsMs: 0,
        restUntilMs: 0,
        isWaking: false,
        costs: new Map(),
        waiting: [],
      };
      this.tenants.set(tenantId, usage);
    }
    return usage;
  }

  private forgetIdle(): void {
    for (const [tenantId, { running, waiting }] of this.tenants) {
      if (running === 0 && waiting.length === 0) this.tenants.delete(tenantId);
    }
  }
}

const decayed = ({ usedMs, readMs }: Usage, now: number): number => usedMs * 0.5 ** ((now - readMs) / HALF_LIFE_MS);
