import { setTimeout as sleepFor } from 'node:timers/promises';

/** Callers count as active for this long after their last append, in milliseconds. */
const RECENT_MS = 1_000;
/** Maximum pause after one piece of background work, in milliseconds. */
const MAX_PAUSE_MS = 200;

interface Timing {
  readonly monotonicMs?: () => number;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/** Whether callers append at the moment, or what follows the log is behind. Background writes then give way. */
export class CallerActivity {
  private lastMs = -Infinity;
  private readonly monotonicMs: () => number;
  private readonly sleep: (ms: number) => Promise<unknown>;
  private isBehind = false;
  private isStopping = false;
  private endPauses = (): void => undefined;
  private readonly stopped = new Promise<void>((resolve) => (this.endPauses = resolve));

  constructor({ monotonicMs = () => performance.now(), sleep = (ms) => sleepFor(ms) }: Timing = {}) {
    this.monotonicMs = monotonicMs;
    this.sleep = sleep;
  }

  /** @param turns number of appended turns that the process has just seen */
  note(turns: number): void {
    if (turns > 0) this.lastMs = this.monotonicMs();
  }

  /** @param isBehind what follows the log is further behind it than the operator allows */
  noteFollowers(isBehind: boolean): void {
    this.isBehind = isBehind;
  }

  /**
   * A pause after background work: while callers append, as long as the work took (docs/adr/0067); while followers of the log
   * are behind, the longest; otherwise none.
   */
  async pauseAfter(workedMs: number): Promise<void> {
    const callersAppend = this.monotonicMs() - this.lastMs < RECENT_MS;
    if (this.isStopping || !(callersAppend || this.isBehind)) return;
    const pauseMs = this.isBehind ? MAX_PAUSE_MS : Math.min(workedMs, MAX_PAUSE_MS);
    await Promise.race([this.sleep(pauseMs), this.stopped]);
  }

  /** Ends all pauses: a process that is stopping finishes its work in progress. */
  stop(): void {
    this.isStopping = true;
    this.endPauses();
  }
}
