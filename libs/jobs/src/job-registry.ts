import type { Job, JobHandler, JobHandlers } from '@turnkeeper/application';

export type JobName = Job['name'];
export type QueueName = 'extraction' | 'delivery' | 'maintenance';
type JobOf<N extends JobName> = Extract<Job, { name: N }>;

export interface JobDefinition<J extends Job> {
  readonly queue: QueueName;
  /**
   * What makes two jobs the same work. No `:` (BullMQ's own separator) and not only digits (its own ids).
   */
  readonly idOf: (job: J) => string;
  /** Reads what another release may have written; null when this one cannot make sense of it. */
  readonly read: (data: Readonly<Record<string, unknown>>) => J | null;
  /** Runs of a job whose handler throws, the first included. The rows keep the real count; see `JobHandler`. */
  readonly attempts: number;
  /** Pause before the second run; it doubles. */
  readonly backoffMs: number;
}

/** Every job there is: the only place that knows queue, identity and payload. */
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
  sweep: {
    queue: 'maintenance',
    idOf: () => 'sweep',
    read: () => ({ name: 'sweep' }),
    // The next tick asks for another one anyway.
    attempts: 1,
    backoffMs: 1_000,
  },
};

export const JOB_NAMES = Object.keys(JOBS) as readonly JobName[];
export const QUEUES: readonly QueueName[] = [...new Set(JOB_NAMES.map((name) => JOBS[name].queue))];

export const definitionOf = (name: JobName): JobDefinition<Job> => JOBS[name] as JobDefinition<Job>;

/** Jobs of one queue are told apart by name; a name from a newer release gives null. */
export const readJob = (name: string, data: unknown): Job | null => {
  if (!Object.hasOwn(JOBS, name)) return null;
  const fields = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
  return definitionOf(name as JobName).read(fields);
};

/** One handler as a module offers it. */
export type HandlerEntry = {
  readonly [N in JobName]: { readonly name: N; readonly handle: JobHandler<JobOf<N>> };
}[JobName];

/** Makes the table of handlers, or refuses to start: every job has exactly one handler. */
export const collectHandlers = (entries: readonly HandlerEntry[]): JobHandlers => {
  const problems = JOB_NAMES.flatMap((name) => {
    const count = entries.filter((entry) => entry.name === name).length;
    if (count === 1) return [];
    return count === 0
      ? [`Job '${name}' has no handler: add { name: '${name}', handle } to the handlers given to the worker host.`]
      : [`Job '${name}' has ${count} handlers: keep one.`];
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return Object.fromEntries(entries.map(({ name, handle }) => [name, handle])) as unknown as JobHandlers;
};
