/** How long an attempt may keep its place in the queue before others get it. Most receivers answer sooner. */
const PATIENCE_MS = 250;

/**
 * Attempts that go on without their job. An answer that is long in coming costs a connection and nothing else, so the
 * job of such an attempt ends and gives its place to the next one: endpoints that hang cannot hold all places. Should
 * this process die meanwhile, the delivery's lease runs out and it is tried again.
 */
export class OpenAttempts {
  private readonly open = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly options: {
      /** Attempts that may go on at a time; beyond them, jobs wait for theirs to end. */
      readonly limit: number;
      /** Told about a failure that no job can report any more. */
      readonly onFailure: (error: unknown) => void;
      readonly patienceMs?: number;
    },
  ) {}

  get count(): number {
    return this.open.size;
  }

  /** Resolves when the attempt has ended, or when its job need not wait for it any longer. */
  async run(attempt: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { limit, onFailure, patienceMs = PATIENCE_MS } = this.options;
    const ended = attempt(AbortSignal.any([signal, this.stopping.signal]));
    if (!(await isLate(ended, patienceMs)) || this.open.size >= limit) return ended;
    const goingOn = ended.catch(onFailure).finally(() => this.open.delete(goingOn));
    this.open.add(goingOn);
  }

  /** Gives up what is still going on and waits until that is noted: those deliveries are due again at once. */
  async close(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.open);
  }
}

const isLate = async (work: Promise<void>, ms: number): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), ms);
  });
  const inTime = work.then(
    () => false,
    () => false,
  );
  const result = await Promise.race([inTime, late]);
  clearTimeout(timer);
  return result;
};
