/** A job names due rows and carries no data, so a lost job can be recreated from the rows. */
export type Job =
  | { readonly name: 'extract'; readonly sessionKey: number; readonly strategyId: string }
  | { readonly name: 'deliver'; readonly deliveryId: string };

export interface JobQueue {
  /**
   * Enqueues jobs. Call it after the named rows are committed. A waiting job is not added twice. A running job gets one
   * successor that starts after it, so that rows committed in the meantime are not missed. Rejects within about a
   * second if the queue is unreachable; the rows stay due, and the next tick of the worker retries.
   */
  enqueue(jobs: readonly Job[]): Promise<void>;
}

/**
 * Handles a job. Delivery is at-least-once, and after a crash or a pause of the process two runs may overlap, so the
 * handler checks the rows first and does nothing if no work is left. It stores its own failures in the rows (attempts,
 * next attempt, parked). A thrown error is a defect: the job is retried a few times and then left to the next tick.
 *
 * `signal` is aborted when the shutdown grace period for handlers is over.
 */
export type JobHandler<J extends Job = Job> = (job: J, signal: AbortSignal) => Promise<void>;
export type JobHandlers = { readonly [N in Job['name']]: JobHandler<Extract<Job, { name: N }>> };
