import type { Logger } from './logger.js';

/** Runs a piece of work again and again, never twice at once, with a pause between the runs. */
export class Ticker {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private stopped = true;

  constructor(
    private readonly name: string,
    private readonly intervalMs: number,
    private readonly work: () => Promise<void>,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.stopped = false;
    this.schedule(0);
  }

  /** Waits for a run in flight. */
  async stop(): Promise<void> {
    this.stopped = true;
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
    try {
      await this.work();
    } catch (error) {
      this.logger.error({ err: error, ticker: this.name }, 'tick.failed');
    }
    this.running = null;
    this.schedule(this.intervalMs);
  }
}
