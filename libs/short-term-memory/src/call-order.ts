/**
 * Orders calls that are not awaited: a write begins when every earlier call has ended, a read when every earlier write
 * has. Reads run side by side. A failed call does not stop later ones.
 */
export class CallOrder {
  private writes: Promise<unknown> = Promise.resolve();
  private reads: Promise<unknown> = Promise.resolve();

  read<T>(work: () => Promise<T>): Promise<T> {
    const run = this.writes.then(work);
    this.reads = Promise.all([this.reads, settled(run)]).then(() => undefined);
    return run;
  }

  write<T>(work: () => Promise<T>): Promise<T> {
    const run = Promise.all([this.writes, this.reads]).then(work);
    this.writes = settled(run);
    return run;
  }
}

const settled = (run: Promise<unknown>): Promise<void> =>
  run.then(
    () => undefined,
    () => undefined,
  );
