/** A job names rows that are due; it never carries facts. A job that is lost is made again from the rows. */
export type Job =
  | { readonly name: 'extract'; readonly sessionKey: number; readonly strategyId: string }
  | { readonly name: 'deliver'; readonly deliveryId: string }
  | { readonly name: 'sweep' };

export interface JobQueue {
  /** Adds jobs. A job that is waiting already is not added twice. Rejects when the queue cannot be reached. */
  enqueue(jobs: readonly Job[]): Promise<void>;
}

/** What a processor may answer. A thrown error counts as `again`. */
export type JobHandler<J extends Job = Job> = (job: J, signal: AbortSignal) => Promise<void>;
export type JobHandlers = { readonly [N in Job['name']]: JobHandler<Extract<Job, { name: N }>> };
