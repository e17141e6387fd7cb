import type { Job, JobHandler, JobHandlers, JobQueue } from '@turnkeeper/application';

/** One identity of work: the jobs of one are the same job. */
export const jobIdentity = (job: Job): string => JSON.stringify(job);

export interface InMemoryJobQueueOptions {
  readonly concurrency?: number;
  /** Runs of a job whose handler throws, the first included. Default 3. */
  readonly attempts?: number;
  readonly backoffMs?: number;
}

/** A queue and its host in one process: at most one job of an identity waits and one runs. */
export class InMemoryJobQueue implements JobQueue {
  private readonly waiting = new Map<string, { job: Job; attempt: number }>();
  private readonly active = new Set<string>();
  private readonly stopping = new AbortController();
  private handlers: JobHandlers | null = null;

  constructor(private readonly options: InMemoryJobQueueOptions = {}) {}

  async enqueue(jobs: readonly Job[]): Promise<void> {
    for (const job of jobs) this.add(job, 1);
    this.work();
  }

  start(handlers: JobHandlers): void {
    this.handlers = handlers;
    this.work();
  }

  /** Takes no more jobs; aborts the signal of those that run. */
  close(): void {
    this.handlers = null;
    this.stopping.abort();
  }

  private add(job: Job, attempt: number): void {
    const identity = jobIdentity(job);
    if (!this.waiting.has(identity)) this.waiting.set(identity, { job, attempt });
  }

  private work(): void {
    if (this.handlers === null) return;
    for (const [identity, { job, attempt }] of this.waiting) {
      if (this.active.size >= (this.options.concurrency ?? 8)) return;
      if (this.active.has(identity)) continue;
      this.waiting.delete(identity);
      this.active.add(identity);
      void this.run(job, attempt, this.handlers[job.name] as JobHandler).finally(() => {
        this.active.delete(identity);
        this.work();
      });
    }
  }

  private async run(job: Job, attempt: number, handle: JobHandler): Promise<void> {
    try {
      await handle(job, this.stopping.signal);
    } catch {
      if (attempt >= (this.options.attempts ?? 3)) return;
      await new Promise((resolve) => setTimeout(resolve, this.options.backoffMs ?? 20));
      this.add(job, attempt + 1);
    }
  }
}
