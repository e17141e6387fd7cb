import type { Clock } from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { rowsOf } from './database.js';

/** Two machines' clocks drift apart by far less than a millisecond in this time. */
const REFRESH_MS = 10_000;

/**
 * The database's wall clock, readable without a round trip: read once, then carried on by a clock that never jumps, and
 * read again every 10 s. All processes agree on it, whatever their own clocks say, and a process whose clock is set
 * back or ahead notices nothing.
 */
export class DatabaseClock implements Clock {
  private timer: NodeJS.Timeout | null = null;

  private constructor(
    private readonly source: DataSource,
    private readonly monotonicMs: () => number,
    private anchor: { readonly wallMs: number; readonly monotonicMs: number },
  ) {}

  /** Reads the clock for the first time; rejects when the database cannot be reached. */
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
    // While the database is away the time goes on from the last reading.
    this.anchor = await read(this.source, this.monotonicMs).catch(() => this.anchor);
  }
}

const read = async (source: DataSource, monotonicMs: () => number) => {
  const askedMs = monotonicMs();
  const [row] = await rowsOf<{ ms: number }>(
    source,
    `select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  );
  const answeredMs = monotonicMs();
  return { wallMs: row?.ms ?? 0, monotonicMs: (askedMs + answeredMs) / 2 };
};
