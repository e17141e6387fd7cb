import { pacer, type Pace } from './pacer.js';

/** Callers count as active for this long after their last append, in milliseconds. */
const RECENT_MS = 1_000;
/** Maximum rest after one piece of background work, in milliseconds. */
const MOST_REST_MS = 200;

/** Whether callers append at the moment, as far as this process has seen. Background writes then give way. */
export class CallerActivity {
  private lastMs = -Infinity;
  private readonly monotonicMs: () => number;

  constructor(private readonly timing: Pick<Pace, 'monotonicMs' | 'sleep'> = {}) {
    this.monotonicMs = timing.monotonicMs ?? (() => performance.now());
  }

  /** @param turns number of appended turns that the process has just seen */
  note(turns: number): void {
    if (turns > 0) this.lastMs = this.monotonicMs();
  }

  /** Runs background work. While callers append, pauses afterwards for as long as the work took (docs/adr/0067). */
  async yieldAfter<T>(work: () => Promise<T>): Promise<T> {
    const rest = pacer({ mostMs: MOST_REST_MS, ...this.timing });
    try {
      return await work();
    } finally {
      if (this.monotonicMs() - this.lastMs < RECENT_MS) await rest();
    }
  }
}
