import type { Job, JobQueue } from '@turnkeeper/application';
import { definitionOf, QUEUES, type QueueName } from './job-registry.js';
import type { BackendQueue, QueueBackend } from './queue-backend.js';

/** The queue cannot be reached now. The rows stay due; the next sweep asks again. */
export class QueueUnavailable extends Error {
  readonly code = 'queue.unavailable';
  constructor(options?: ErrorOptions) {
    super('The job queue cannot be reached.', options);
    this.name = 'QueueUnavailable';
  }
}

export interface BullMqJobQueueOptions {
  /** Longest time of an enqueue before it rejects, whatever state the connection is in. Default 1 s. */
  readonly timeoutMs?: number;
  /** Called with connection errors in the background. Default: they are ignored. */
  readonly onError?: (error: unknown) => void;
}

/** Failed jobs that are kept for inspection. */
const KEEP_FAILED = 200;

/**
 * Enqueues through BullMQ's deduplication with `keepLastIfActive`, not through job ids: a job whose id exists is
 * ignored while it *runs* too, and an event that comes in during an extraction would then wait for the next sweep.
 * With it, at most one job of an identity waits and one runs, and one that is asked for meanwhile follows the running
 * one, decided atomically by the server. A key left behind by an outage is recognised by BullMQ and replaced.
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

  /** Resolves when the server answers, within a second; rejects with `QueueUnavailable`. */
  async ping(): Promise<void> {
    const name: QueueName = 'maintenance';
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
      // A queue that never reached Postgres never recovers: the next enqueue opens a new one.
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
