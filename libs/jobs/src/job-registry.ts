import type { Job } from '@turnkeeper/application';

export type JobName = Job['name'];
export type QueueName = 'extraction' | 'delivery';
type JobOf<N extends JobName> = Extract<Job, { name: N }>;

export interface JobDefinition<J extends Job> {
  readonly queue: QueueName;
  /** Deduplication key. Must not contain `:` (BullMQ's separator) or consist of digits only (BullMQ's own ids). */
  readonly idOf: (job: J) => string;
  /** Parses data that another release may have written; returns null if this release does not support it. */
  readonly read: (data: Readonly<Record<string, unknown>>) => J | null;
  /**
   * Maximum runs of a job whose handler throws, including the first. The rows hold the actual attempt count; see
   * `JobHandler`.
   */
  readonly attempts: number;
  /** Backoff before the second run in milliseconds; doubles with each run. */
  readonly backoffMs: number;
}

/** All jobs. The only place that defines queue, identity and payload. */
export const JOBS: { readonly [N in JobName]: JobDefinition<JobOf<N>> } = {
  extract: {
    queue: 'extraction',
    idOf: (job) => `extract-${job.sessionKey}-${job.strategyId}`,
    read: ({ sessionKey, strategyId }) =>
      Number.isSafeInteger(sessionKey) && typeof strategyId === 'string'
        ? { name: 'extract', sessionKey: sessionKey as number, strategyId }
        : null,
    attempts: 3,
    backoffMs: 1_000,
  },
  deliver: {
    queue: 'delivery',
    idOf: (job) => `deliver-${job.deliveryId}`,
    read: ({ deliveryId }) => (typeof deliveryId === 'string' ? { name: 'deliver', deliveryId } : null),
    attempts: 3,
    backoffMs: 1_000,
  },
};

export const JOB_NAMES = Object.keys(JOBS) as readonly JobName[];
export const QUEUES: readonly QueueName[] = [...new Set(JOB_NAMES.map((name) => JOBS[name].queue))];

export const definitionOf = (name: JobName): JobDefinition<Job> => JOBS[name] as JobDefinition<Job>;

/** Parses a job by its name; returns null for a name of a newer release. */
export const readJob = (name: string, data: unknown): Job | null => {
  if (!Object.hasOwn(JOBS, name)) return null;
  const fields = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
  return definitionOf(name as JobName).read(fields);
};
