import type { Logger } from './logger.js';

/**
 * Runs work repeatedly with a pause between runs; runs never overlap. Stopping aborts the signal passed to the work.
 * Long work ends at its next step, by returning or by throwing the signal's reason.
 */
export class Ticker {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private stopped = true;
  private stopping = new AbortController();

  constructor(
    private readonly name: string,
    private readonly intervalMs: number,
    private readonly work: (signal: AbortSignal) => Promise<void>,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.stopped = false;
    this.stopping = new AbortController();
    this.schedule(0);
  }

  /** Aborts a run in flight and waits for it to end. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.stopping.abort();
    if (this.timer !== null) clearTimeout(this.timer);
    await this.running;
  }

  private schedule(delayMs: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.run();
    }, delayMs);
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    try {
      await this.work(signal);
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) {
        this.logger.error({ err: error, ticker: this.name }, 'tick.failed');
      }
    }
    this.running = null;
    this.schedule(this.intervalMs);
  }
}
