import { UnrecoverableError, WaitingError, type Job as BullJob } from 'bullmq';
import type { Job, JobHandler, JobHandlers } from '@turnkeeper/application';
import { QUEUES, readJob, type QueueName } from './job-registry.js';
import type { BackendWorker, QueueBackend } from './queue-backend.js';

export interface WorkerHostOptions {
  /** Handlers that run at once, per queue. Default: extraction 8, delivery 16, maintenance 1. */
  readonly concurrency?: Partial<Record<QueueName, number>>;
  /**
   * How long a job stays locked without a sign of life from its process. Together with `stalledIntervalMs` it bounds
   * how long the work of a killed process lies still. Default 4 s; renewed every half of it.
   */
  readonly lockMs?: number;
  /** How often dead processes' jobs are looked for. Must be the same in all processes. Default 1 s. */
  readonly stalledIntervalMs?: number;
}

/** What the host does, for logs and metrics. */
export interface WorkerHostObserver {
  finished?(job: Job, ms: number): void;
  /** A handler threw, or a job could not be read (`job` null). */
  failed?(job: Job | null, error: unknown): void;
  /** A job whose process died was put back. */
  recovered?(queue: QueueName): void;
  /** Connection errors and the like, in the background. */
  troubled?(queue: QueueName, error: unknown): void;
}

const CONCURRENCY: Readonly<Record<QueueName, number>> = { extraction: 8, delivery: 16, maintenance: 1 };
/** A job is recovered every time: its row decides whether work is poison, not how often processes died. */
const MAX_STALLED = 1_000_000;
const RETRY_MS = 1_000;
/** Time for handlers after their signal is aborted: a quarter of the deadline, within these bounds. */
const GRACE_MS = { least: 200, most: 1_000 };
const GRACE_SHARE = 0.25;

/** Runs the handlers of all jobs in this process, on one BullMQ worker per queue. */
export class WorkerHost {
  private readonly workers = new Map<QueueName, BackendWorker>();
  private readonly stopping = new AbortController();
  private running = 0;
  private progressAt = Date.now();

  constructor(
    private readonly backend: QueueBackend,
    private readonly handlers: JobHandlers,
    private readonly options: WorkerHostOptions = {},
    private readonly observer: WorkerHostObserver = {},
  ) {}

  /** Returns at once; jobs are taken as soon as the server can be reached. */
  start(): void {
    for (const queue of QUEUES) void this.open(queue);
  }

  /** Jobs running in this process now. */
  get active(): number {
    return this.running;
  }

  /**
   * When a job last began or ended here (ms since 1970; the start of the host before the first). With a sweep every
   * few seconds this moves all the time: one that stands still means a worker that is connected but does not work.
   */
  get lastProgressAt(): number {
    return this.progressAt;
  }

  /**
   * Takes no more jobs and waits for the running ones, `deadlineMs` at most. Shortly before that their signal is aborted
   * and they go back to the queue for another process.
   */
  async close(deadlineMs: number): Promise<void> {
    this.stopping.abort();
    await Promise.all([...this.workers.values()].map((worker) => closeWorker(worker, deadlineMs)));
  }

  private async open(queue: QueueName): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const worker = this.backend.openWorker(queue, (job, token, abort) => this.process(job, token, abort), {
        autorun: false,
        concurrency: this.options.concurrency?.[queue] ?? CONCURRENCY[queue],
        lockDuration: this.options.lockMs ?? 4_000,
        stalledInterval: this.options.stalledIntervalMs ?? 1_000,
        maxStalledCount: MAX_STALLED,
        runRetryDelay: RETRY_MS,
      });
      worker.on('error', (error) => this.observer.troubled?.(queue, error));
      worker.on('stalled', () => this.observer.recovered?.(queue));
      this.workers.set(queue, worker);
      try {
        await worker.waitUntilReady();
        if (!signal.aborted) await worker.run();
        return;
      } catch (error) {
        // On Postgres a worker whose first connection failed never recovers: replace it.
        this.observer.troubled?.(queue, error);
        await worker.close(true);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  private async process(bullJob: BullJob, token: string | undefined, signal: AbortSignal | undefined): Promise<void> {
    const job = readJob(bullJob.name, bullJob.data);
    if (job === null) {
      const error = new UnrecoverableError(`This release does not know the job '${bullJob.name}' in this shape.`);
      this.observer.failed?.(null, error);
      throw error;
    }
    // Fetched in the moment we closed.
    if (this.stopping.signal.aborted) return giveBack(bullJob, token);
    const startedAt = performance.now();
    this.progressAt = Date.now();
    this.running += 1;
    try {
      const handle = this.handlers[job.name] as JobHandler;
      await handle(job, signal ?? this.stopping.signal);
      this.observer.finished?.(job, performance.now() - startedAt);
    } catch (error) {
      // Aborted by our own shutdown, not by an error of the job.
      if (signal?.aborted === true) return await giveBack(bullJob, token);
      this.observer.failed?.(job, error);
      throw error;
    } finally {
      this.running -= 1;
      this.progressAt = Date.now();
    }
  }
}

/** Puts the job back for another process at once, instead of when its lock expires. */
const giveBack = async (bullJob: BullJob, token: string | undefined): Promise<never> => {
  await bullJob.moveToWait(token);
  throw new WaitingError();
};

const closeWorker = async (worker: BackendWorker, deadlineMs: number): Promise<void> => {
  const graceMs = Math.min(GRACE_MS.most, Math.max(GRACE_MS.least, deadlineMs * GRACE_SHARE));
  const closed = worker.close().then(() => true);
  if (await Promise.race([closed, after(Math.max(0, deadlineMs - graceMs))])) return;
  worker.cancelAllJobs('shutdown');
  if (await Promise.race([closed, after(graceMs)])) return;
  // The handler ignores its signal: disconnect; the job's lock expires and another process takes it.
  await worker.getBackend().close(true);
};

const after = (ms: number): Promise<false> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(false), ms).unref();
  });
