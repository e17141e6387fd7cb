import type { Job, JobHandler, JobHandlers, JobQueue } from '@turnkeeper/application';

/** Identity of a job: jobs with equal identities are the same job. */
const jobIdentity = (job: Job): string => JSON.stringify(job);

export interface InMemoryJobQueueOptions {
  readonly concurrency?: number;
  /** Maximum runs of a job whose handler throws, including the first. Default: 3. */
  readonly attempts?: number;
  readonly backoffMs?: number;
}

/** An in-process queue and host: per identity, at most one job waits and one runs. */
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

  /** Stops taking jobs and aborts the signal of running ones. */
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
