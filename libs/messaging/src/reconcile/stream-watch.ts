import type { JetStreamReconciler } from './jetstream-reconciler.js';

export interface StreamWatchOptions {
  /** Interval of the stream check in milliseconds. Default: 10 s. */
  readonly intervalMs?: number;
  /** Interval of the full comparison in milliseconds. Default: 1 h. */
  readonly fullIntervalMs?: number;
}

/** Reconciles the stream with the log while this process leads the relay. */
export class StreamWatch {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private fullAtMs = 0;

  constructor(
    private readonly reconciler: JetStreamReconciler,
    private readonly isLeading: () => boolean,
    /** Milliseconds since 1970 by a clock shared by all processes, because message ages depend on it. */
    private readonly nowMs: () => number,
    private readonly onFailure: (error: unknown) => void,
    private readonly options: StreamWatchOptions = {},
  ) {}

  start(): void {
    const { intervalMs = 10_000 } = this.options;
    this.timer = setInterval(() => {
      if (this.isLeading()) this.running ??= this.look().finally(() => (this.running = null));
    }, intervalMs);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    await this.running;
  }

  private async look(): Promise<void> {
    const { fullIntervalMs = 3_600_000 } = this.options;
    const nowMs = performance.now();
    try {
      if (this.fullAtMs !== 0 && nowMs - this.fullAtMs >= fullIntervalMs) await this.reconciler.reconcile();
      else await this.reconciler.check(this.nowMs());
      if (this.fullAtMs === 0 || nowMs - this.fullAtMs >= fullIntervalMs) this.fullAtMs = nowMs;
    } catch (error) {
      this.onFailure(error);
    }
  }
}
