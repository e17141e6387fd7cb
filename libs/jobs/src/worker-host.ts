import { UnrecoverableError, WaitingError, type Job as BullJob } from 'bullmq';
import type { Job, JobHandler, JobHandlers } from '@turnkeeper/application';
import { QUEUES, readJob, type QueueName } from './job-registry.js';
import type { BackendWorker, QueueBackend } from './queue-backend.js';

export interface WorkerHostOptions {
  /** Maximum concurrent handlers per queue. Default: extraction 8, delivery 16. */
  readonly concurrency?: Partial<Record<QueueName, number>>;
  /**
   * Lock duration of a job in milliseconds. Together with `stalledIntervalMs` it bounds how long the jobs of a killed
   * process are delayed. Default: 4 s; renewed at half of it.
   */
  readonly lockMs?: number;
  /** Interval of the check for stalled jobs in milliseconds. Must be the same in all processes. Default: 1 s. */
  readonly stalledIntervalMs?: number;
}

/** Callbacks for logs and metrics. */
export interface WorkerHostObserver {
  finished?(job: Job, ms: number): void;
  /** A handler threw, or a job could not be parsed (`job` is null). */
  failed?(job: Job | null, error: unknown): void;
  /** A job whose process died was returned to the queue. */
  recovered?(queue: QueueName): void;
  /** Background errors, such as connection errors. */
  troubled?(queue: QueueName, error: unknown): void;
}

const CONCURRENCY: Readonly<Record<QueueName, number>> = { extraction: 8, delivery: 16 };
/** Jobs are always recovered. Their row decides whether to give up, not the number of processes that died. */
const MAX_STALLED = 1_000_000;
const RETRY_MS = 1_000;
/** Grace period for handlers after their signal is aborted: a quarter of the deadline, within these bounds. */
const GRACE_MS = { least: 200, most: 1_000 };
const GRACE_SHARE = 0.25;

/** Runs the handlers of all jobs in this process, with one BullMQ worker per queue. */
export class WorkerHost {
  private readonly workers = new Map<QueueName, BackendWorker>();
  private readonly stopping = new AbortController();
  private running = 0;

  constructor(
    private readonly backend: QueueBackend,
    private readonly handlers: JobHandlers,
    private readonly options: WorkerHostOptions = {},
    private readonly observer: WorkerHostObserver = {},
  ) {}

  /** Returns immediately; jobs run once the server is reachable. */
  start(): void {
    for (const queue of QUEUES) void this.open(queue);
  }

  /** Number of jobs running in this process. */
  get active(): number {
    return this.running;
  }

  /**
   * Takes no new jobs and waits for the running ones, at most `deadlineMs`. Shortly before the deadline their signal is
   * aborted and they return to the queue for another process.
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
        // On Postgres, a worker whose first connection failed never recovers; replace it.
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
    // Fetched while closing.
    if (this.stopping.signal.aborted) return giveBack(bullJob, token);
    const startedAt = performance.now();
    this.running += 1;
    try {
      const handle = this.handlers[job.name] as JobHandler;
      await handle(job, signal ?? this.stopping.signal);
      this.observer.finished?.(job, performance.now() - startedAt);
    } catch (error) {
      // Aborted by our shutdown, not by an error of the job.
      if (signal?.aborted === true) return await giveBack(bullJob, token);
      this.observer.failed?.(job, error);
      throw error;
    } finally {
      this.running -= 1;
    }
  }
}

/** Returns the job to the queue immediately instead of when its lock expires. */
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
  // The handler ignores its signal. Disconnect; the job's lock expires and another process takes the job.
  await worker.getBackend().close(true);
};

const after = (ms: number): Promise<false> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(false), ms).unref();
  });
