import type { Steps } from '@turnkeeper/domain';

/** How long one search may hold the event loop before other requests go on, in milliseconds. */
const SLICE_MS = 2;
/** Work that has used some time lets work pass that began up to this many times as long after its pause. */
const PATIENCE = 10;

interface Paused {
  /** The lowest is first. */
  readonly rank: number;
  readonly goOn: () => void;
}

/** Long synchronous work, done in slices: `if (work.isDue) await work.pause()` in its loops. */
export interface SlicedWork {
  /** Whether it has held the event loop for long enough. */
  readonly isDue: boolean;
  /** Resolves when it may go on. */
  pause(): Promise<void>;
}

/**
 * Shares the event loop among searches: of the paused ones, one slice runs between two rounds of input and output. The
 * first is the one that has used the least time, and waiting counts in favour of the others, so that none waits for ever.
 */
export class TimeSlices {
  private readonly paused: Paused[] = [];

  constructor(
    private readonly monotonicMs = (): number => performance.now(),
    /** Calls back after everything that is ready to run now. */
    private readonly later = (then: () => void): void => void setImmediate(then),
    private readonly sliceMs = SLICE_MS,
  ) {}

  /** Begins work that holds the event loop until its first pause. */
  begin(): SlicedWork {
    const { monotonicMs, sliceMs } = this;
    let startedMs = monotonicMs();
    let usedMs = 0;
    return {
      get isDue() {
        return monotonicMs() - startedMs >= sliceMs;
      },
      pause: async () => {
        const now = monotonicMs();
        usedMs += now - startedMs;
        await this.turnOf(now + PATIENCE * usedMs);
        startedMs = monotonicMs();
      },
    };
  }

  private turnOf(rank: number): Promise<void> {
    return new Promise((goOn) => {
      this.paused.push({ rank, goOn });
      if (this.paused.length === 1) this.later(() => this.runNext());
    });
  }

  private runNext(): void {
    let first = 0;
    for (let at = 1; at < this.paused.length; at += 1) {
      if ((this.paused[at] as Paused).rank < (this.paused[first] as Paused).rank) first = at;
    }
    const [next] = this.paused.splice(first, 1) as [Paused];
    if (this.paused.length > 0) this.later(() => this.runNext());
    next.goOn();
  }
}

/** Those of this process. */
export const timeSlices = new TimeSlices();

/** Runs work with steps in slices. */
export const inSteps = async <T>(steps: Steps<T>, work = timeSlices.begin()): Promise<T> => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (work.isDue) await work.pause();
  }
};

/** Maps items in slices. */
export const inSlices = async <T, R>(
  items: readonly T[],
  step: (item: T) => R,
  slices: Pick<TimeSlices, 'begin'> = timeSlices,
): Promise<R[]> => {
  const work = slices.begin();
  const results: R[] = [];
  for (const item of items) {
    if (work.isDue) await work.pause();
    results.push(step(item));
  }
  return results;
};
