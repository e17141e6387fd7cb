import { ActiveTenants } from '../limits/active-tenants.js';

/** How long a tenant counts as active after a request, in milliseconds. */
const ACTIVE_MS = 1_000;
/** Rest after a heavy body, as a multiple of its time: heavy bodies get at most a fifth of the event loop. */
const REST = 4;
/** Maximum pause, in milliseconds: one slow body must not delay the others for long. */
const MAX_REST_MS = 500;
/** Rest of the tenant itself after a heavy body that was rejected, as a multiple of the time that it took. */
const REST_REJECTED = 30;
const MAX_REST_REJECTED_MS = 5_000;

/** A heavy body's time on the event loop. */
export interface HeavyTurn {
  readonly owner: string;
  startedMs: number;
  tookMs: number | null;
}

interface Waiting extends HeavyTurn {
  readonly work: () => void;
}

/**
 * Paces the parsing of heavy bodies, which block the event loop: one at a time, tenants in turn. While other tenants
 * send requests, they get the event loop for four times as long as each heavy body took, and a tenant whose body was
 * rejected waits thirty times as long before its next one. A tenant on its own never waits.
 */
export class HeavyBodies {
  private readonly waiting: Waiting[] = [];
  /** When tenants whose bodies were rejected may go on. */
  private readonly readyAt = new Map<string, number>();
  private isBusy = false;
  private lastOwner = '';
  private readonly active = new ActiveTenants(ACTIVE_MS, () => this.monotonicMs());

  constructor(
    private readonly monotonicMs = (): number => performance.now(),
    /** Calls back after this many milliseconds, and after everything that is ready to run now. */
    private readonly later = (ms: number, then: () => void): void =>
      void (ms === 0 ? setImmediate(then) : setTimeout(then, ms)),
  ) {}

  /** Notes a request of a tenant. */
  seen(owner: string): void {
    this.active.seen(owner);
  }

  /** Runs the work, at once or when it is the owner's turn. */
  run(owner: string, work: () => void): HeavyTurn {
    const turn = { owner, work, startedMs: Number.NaN, tookMs: null };
    this.waiting.push(turn);
    if (!this.isBusy) this.next();
    return turn;
  }

  /** Notes that a body was rejected after its turn: CPU time that was of no use to its tenant. */
  rejected({ owner, startedMs, tookMs }: HeavyTurn): void {
    const now = this.monotonicMs();
    if (Number.isNaN(startedMs) || !this.active.besides(owner)) return;
    const rest = Math.min(MAX_REST_REJECTED_MS, (tookMs ?? now - startedMs) * REST_REJECTED);
    const isResting = this.readyAt.has(owner);
    this.readyAt.set(owner, Math.max(this.readyAt.get(owner) ?? 0, now + rest));
    // The timer of a tenant that already rests waits for the later time.
    if (!isResting) this.wakeAfter(rest, owner);
  }

  /** Forgets work that has not run, as when its client is gone. */
  drop(work: () => void): void {
    const at = this.waiting.findIndex((turn) => turn.work === work);
    if (at !== -1) this.waiting.splice(at, 1);
  }

  /** Node's timers fire up to two milliseconds early. */
  private wakeAfter(ms: number, owner: string): void {
    this.later(Math.max(1, Math.ceil(ms)), () => {
      const remainingMs = (this.readyAt.get(owner) ?? 0) - this.monotonicMs();
      if (remainingMs > 0) return this.wakeAfter(remainingMs, owner);
      this.readyAt.delete(owner);
      if (!this.isBusy) this.next();
    });
  }

  private next(): void {
    const turn = this.takeNext();
    this.isBusy = turn !== undefined;
    if (turn === undefined) return;
    this.lastOwner = turn.owner;
    turn.startedMs = this.monotonicMs();
    turn.work();
    // What the work started synchronously, such as validation, has run by then.
    this.later(0, () => {
      const tookMs = this.monotonicMs() - turn.startedMs;
      turn.tookMs = tookMs;
      if (!this.active.besides(turn.owner)) return this.next();
      this.later(Math.min(MAX_REST_MS, tookMs * REST), () => this.next());
    });
  }

  /** The first body of another tenant than the last one, otherwise the first; of tenants that do not rest. */
  private takeNext(): Waiting | undefined {
    const now = this.monotonicMs();
    const isReady = ({ owner }: Waiting): boolean => (this.readyAt.get(owner) ?? 0) <= now;
    const other = this.waiting.findIndex((turn) => isReady(turn) && turn.owner !== this.lastOwner);
    const at = other === -1 ? this.waiting.findIndex(isReady) : other;
    return at === -1 ? undefined : this.waiting.splice(at, 1)[0];
  }
}
