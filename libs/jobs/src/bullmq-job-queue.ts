import type { Job, JobQueue } from '@turnkeeper/application';
import { definitionOf, QUEUES, type QueueName } from './job-registry.js';
import type { BackendQueue, QueueBackend } from './queue-backend.js';

/** The queue is unreachable. The rows stay due; the next sweep retries. */
export class QueueUnavailable extends Error {
  readonly code = 'queue.unavailable';
  constructor(options?: ErrorOptions) {
    super('The job queue cannot be reached.', options);
    this.name = 'QueueUnavailable';
  }
}

export interface BullMqJobQueueOptions {
  /** Timeout of an enqueue, regardless of the connection's state. Default: 1 s. */
  readonly timeoutMs?: number;
  /** Called with background connection errors. Default: ignored. */
  readonly onError?: (error: unknown) => void;
}

/** Number of failed jobs retained for inspection. */
const KEEP_FAILED = 200;

/**
 * Enqueues with BullMQ's deduplication and `keepLastIfActive` instead of job ids. A job with an existing id is ignored
 * even while that job is *running*, so events arriving during an extraction would wait for the next sweep. With
 * `keepLastIfActive`, at most one job per identity waits and one runs, and a job added in the meantime follows the
 * running one; the server decides this atomically. BullMQ detects and replaces keys left behind by an outage.
 */
export class BullMqJobQueue implements JobQueue {
  private readonly queues = new Map<QueueName, BackendQueue>();
  private closed = false;

  constructor(
    private readonly backend: QueueBackend,
    private readonly options: BullMqJobQueueOptions = {},
  ) {}

  async enqueue(jobs: readonly Job[]): Promise<void> {
    const ofQueue = (queue: QueueName): Job[] => jobs.filter((job) => definitionOf(job.name).queue === queue);
    await Promise.all(QUEUES.map((queue) => this.add(queue, ofQueue(queue))));
  }

  /** Resolves when the server answers; rejects with `QueueUnavailable` after the timeout (default: 1 s). */
  async ping(): Promise<void> {
    const name: QueueName = 'extraction';
    const queue = this.queueOf(name);
    try {
      await within(this.options.timeoutMs ?? 1_000, queue.count());
    } catch (cause) {
      if (this.backend.kind === 'postgres') this.discard(name, queue);
      throw new QueueUnavailable({ cause });
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
  }

  private async add(name: QueueName, jobs: readonly Job[]): Promise<void> {
    if (jobs.length === 0) return;
    const queue = this.queueOf(name);
    try {
      await within(this.options.timeoutMs ?? 1_000, queue.addBulk(jobs.map(toBulk)));
    } catch (cause) {
      // A queue that never connected to Postgres never recovers; the next enqueue opens a new one.
      if (this.backend.kind === 'postgres') this.discard(name, queue);
      throw new QueueUnavailable({ cause });
    }
  }

  private queueOf(name: QueueName): BackendQueue {
    if (this.closed) throw new QueueUnavailable();
    let queue = this.queues.get(name);
    if (queue === undefined) {
      queue = this.backend.openQueue(name, {
        removeOnComplete: true,
        removeOnFail: { count: KEEP_FAILED },
        stackTraceLimit: 1,
      });
      queue.on('error', (error) => this.options.onError?.(error));
      this.queues.set(name, queue);
    }
    return queue;
  }

  private discard(name: QueueName, queue: BackendQueue): void {
    if (this.queues.get(name) === queue) this.queues.delete(name);
    void queue.close().catch((error: unknown) => this.options.onError?.(error));
  }
}

const toBulk = (job: Job): Parameters<BackendQueue['addBulk']>[0][number] => {
  const { idOf, attempts, backoffMs } = definitionOf(job.name);
  const { name, ...data } = job;
  return {
    name,
    data,
    opts: {
      deduplication: { id: idOf(job), keepLastIfActive: true },
      attempts,
      backoff: { type: 'exponential', delay: backoffMs },
    },
  };
};

const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};
