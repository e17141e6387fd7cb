/** A job names rows that are due; it never carries facts. A job that is lost is made again from the rows. */
export type Job =
  | { readonly name: 'extract'; readonly sessionKey: number; readonly strategyId: string }
  | { readonly name: 'deliver'; readonly deliveryId: string }
  | { readonly name: 'sweep' };

export interface JobQueue {
  /**
   * Adds jobs. Call it after the rows they name were committed. A job that is waiting already is not added twice; one
   * that is running gets one successor, which starts after it, so that what was committed meanwhile is not missed.
   * Rejects within about a second when the queue cannot be reached: the rows stay due, and a sweep tries again.
   */
  enqueue(jobs: readonly Job[]): Promise<void>;
}

/**
 * Does the work that the job names. It may run twice for one job, and at the same time as another run of it after a
 * crash or a pause of the process, so it looks at the rows first and finds nothing left to do. It keeps its own
 * failures in the rows (attempts, next try, parked); an error that it throws is a fault of ours: the job is tried a
 * few times more and then left to the sweep.
 *
 * `signal` is aborted when the process shuts down and the time for handlers is over.
 */
export type JobHandler<J extends Job = Job> = (job: J, signal: AbortSignal) => Promise<void>;
export type JobHandlers = { readonly [N in Job['name']]: JobHandler<Extract<Job, { name: N }>> };
