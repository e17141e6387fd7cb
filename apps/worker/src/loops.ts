import { Global, Module } from '@nestjs/common';
import type { Ticker } from '@turnkeeper/platform';

/** The process's loops. Modules add theirs when Nest initialises them; all start and stop together. */
export class Loops {
  private readonly tickers: Ticker[] = [];

  add(...tickers: readonly Ticker[]): void {
    this.tickers.push(...tickers);
  }

  start(): void {
    for (const ticker of this.tickers) ticker.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.tickers.map((ticker) => ticker.stop()));
  }
}

@Global()
@Module({ providers: [Loops], exports: [Loops] })
export class LoopsModule {}
