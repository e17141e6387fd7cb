/** How long an attempt can keep its queue slot. Most receivers answer sooner. */
const PATIENCE_MS = 250;

/**
 * Attempts that continue without their job. A slow answer costs only a connection, so the job ends and frees its slot:
 * endpoints that hang cannot occupy all slots. If this process dies, the delivery's lease expires and it is retried.
 */
export class OpenAttempts {
  private readonly open = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly options: {
      /** Maximum open attempts; above it, jobs wait for theirs to end. */
      readonly limit: number;
      /** Called with a failure after its job has ended. */
      readonly onFailure: (error: unknown) => void;
      readonly patienceMs?: number;
    },
  ) {}

  get count(): number {
    return this.open.size;
  }

  /** Resolves when the attempt has ended, or when its job need not wait any longer. */
  async run(attempt: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { limit, onFailure, patienceMs = PATIENCE_MS } = this.options;
    const ended = attempt(AbortSignal.any([signal, this.stopping.signal]));
    if (!(await isLate(ended, patienceMs)) || this.open.size >= limit) return ended;
    const goingOn = ended.catch(onFailure).finally(() => this.open.delete(goingOn));
    this.open.add(goingOn);
  }

  /** Cancels open attempts and waits until that is recorded: those deliveries are due again immediately. */
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
