/** Runs work of the same key sequentially and of different keys concurrently, at most `limit` at a time. */
export class Lanes {
  private readonly tails = new Map<string, Promise<void>>();
  private readonly queue: (() => void)[] = [];
  private running = 0;

  constructor(private readonly limit: number) {}

  /** @param work must not reject */
  add(key: string, work: () => Promise<void>): void {
    const before = this.tails.get(key) ?? Promise.resolve();
    const mine = before.then(() => this.limited(work));
    this.tails.set(key, mine);
    void mine.then(() => {
      if (this.tails.get(key) === mine) this.tails.delete(key);
    });
  }

  /** Resolves when nothing is running or waiting. */
  async idle(): Promise<void> {
    while (this.tails.size > 0) await Promise.all(this.tails.values());
  }

  private async limited(work: () => Promise<void>): Promise<void> {
    if (this.running >= this.limit) await new Promise<void>((resolve) => this.queue.push(resolve));
    else this.running += 1;
    try {
      await work();
    } finally {
      // Hand the slot to the next in the queue, if any.
      const next = this.queue.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}
