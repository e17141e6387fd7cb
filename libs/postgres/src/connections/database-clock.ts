import type { Clock } from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { sqlOf } from './sql.js';

/** Clock drift between two machines in this time is far below a millisecond. */
const REFRESH_MS = 10_000;

/**
 * The database's wall clock without a round trip per call. It is read once, extrapolated with a monotonic clock, and
 * re-read every 10 s. All processes agree on it whatever their local clocks say, and a change of the local clock has no
 * effect.
 */
export class DatabaseClock implements Clock {
  private timer: NodeJS.Timeout | null = null;

  private constructor(
    private readonly source: DataSource,
    private readonly monotonicMs: () => number,
    private anchor: { readonly wallMs: number; readonly monotonicMs: number },
  ) {}

  /** Reads the clock for the first time. Rejects if the database is unreachable. */
  static async start(source: DataSource, monotonicMs = (): number => performance.now()): Promise<DatabaseClock> {
    const clock = new DatabaseClock(source, monotonicMs, await read(source, monotonicMs));
    clock.timer = setInterval(() => void clock.refresh(), REFRESH_MS);
    clock.timer.unref();
    return clock;
  }

  now(): Date {
    return new Date(this.anchor.wallMs + this.monotonicMs() - this.anchor.monotonicMs);
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
  }

  private async refresh(): Promise<void> {
    // While the database is unavailable, keep extrapolating from the last reading.
    this.anchor = await read(this.source, this.monotonicMs).catch(() => this.anchor);
  }
}

const read = async (source: DataSource, monotonicMs: () => number) => {
  const askedMs = monotonicMs();
  const [row] = await sqlOf<{ ms: number }>(source)`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`;
  const answeredMs = monotonicMs();
  return { wallMs: row?.ms ?? 0, monotonicMs: (askedMs + answeredMs) / 2 };
};
