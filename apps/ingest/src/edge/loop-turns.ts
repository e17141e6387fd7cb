/** Runs one piece of work in each iteration of the event loop, so that requests are answered between any two. */
export class LoopTurns {
  private readonly waiting: (() => unknown)[] = [];

  add(work: () => unknown): void {
    if (this.waiting.push(work) === 1) setImmediate(this.next);
  }

  private readonly next = (): void => {
    const work = this.waiting.shift();
    if (this.waiting.length > 0) setImmediate(this.next);
    work?.();
  };
}
