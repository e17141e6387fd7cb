import type { Clock } from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { rowsOf } from './database.js';

/** All limits except requests per second, which is a field of the tenant itself. */
const REFRESH_MS = 10_000;

/** Limits to set; null restores the installation's default. Absent limits are unchanged. */
export class DatabaseClock implements Clock {
  private timer: NodeJS.Timeout | null = null;

  private constructor(
    private readonly source: DataSource,
    private readonly monotonicMs: () => number,
    private anchor: { readonly wallMs: number; readonly monotonicMs: number },
  ) {}

  /** Null for the installation's default. */
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
    // The tenant's other limits. Absent limits use the installation's default.
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
