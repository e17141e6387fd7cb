/** How long a tenant counts as active after a request, in milliseconds. */
const ACTIVE_MS = 1_000;
/** Rest after a heavy body, as a multiple of the time that it took: all of them together get a fifth of the event loop. */
const REST = 4;
/** Maximum pause, in milliseconds: one slow body must not delay the others for long. */
const MOST_REST_MS = 500;

interface Waiting {
  readonly owner: string;
  readonly work: () => void;
}

/**
 * Paces the parsing of heavy bodies, which block the event loop: one at a time, tenants in turn. While other tenants
 * send requests, they get the event loop for four times as long as each heavy body took. A tenant on its own never
 * waits.
 */
export class HeavyBodies {
  private readonly waiting: Waiting[] = [];
  private isBusy = false;
  private lastOwner = '';
  /** The two tenants that sent a request most recently, and when. */
  private newest = { owner: '', atMs: Number.NEGATIVE_INFINITY };
  private other = this.newest;

  constructor(
    private readonly monotonicMs = (): number => performance.now(),
    /** Calls back after this many milliseconds, and after everything that is ready to run now. */
    private readonly later = (ms: number, then: () => void): void =>
      void (ms === 0 ? setImmediate(then) : setTimeout(then, ms)),
  ) {}

  /** Notes a request of a tenant. */
  seen(owner: string): void {
    if (owner !== this.newest.owner) {
      this.other = this.newest;
      this.newest = { owner, atMs: this.monotonicMs() };
    } else this.newest.atMs = this.monotonicMs();
  }

  /** Runs the work, at once or when it is the owner's turn. */
  run(owner: string, work: () => void): void {
    this.waiting.push({ owner, work });
    if (!this.isBusy) this.next();
  }

  private next(): void {
    const at = Math.max(
      0,
      this.waiting.findIndex(({ owner }) => owner !== this.lastOwner),
    );
    const [turn] = this.waiting.splice(at, 1);
    this.isBusy = turn !== undefined;
    if (turn === undefined) return;
    this.lastOwner = turn.owner;
    const startedMs = this.monotonicMs();
    turn.work();
    // What the work started synchronously, such as validation, has run by then.
    this.later(0, () => {
      const tookMs = this.monotonicMs() - startedMs;
      if (!this.hasOthers(turn.owner)) return this.next();
      this.later(Math.min(MOST_REST_MS, tookMs * REST), () => this.next());
    });
  }

  private hasOthers(owner: string): boolean {
    const { owner: found, atMs } = this.newest.owner === owner ? this.other : this.newest;
    return found !== '' && found !== owner && this.monotonicMs() - atMs < ACTIVE_MS;
  }
}
