import {
  ExtractionFailed,
  ThreadResourcesMissing,
  WindowTooHeavy,
  type ExtractionInput,
  type RawAnswer,
  type ReadAnswer,
} from '@turnkeeper/application';
import { Piscina } from 'piscina';
import type { ExtractionTask, ExtractionTaskResult, TimedTask } from './extraction-task.js';
import { FairQueue } from './fair-queue.js';
import { ThreadClock } from './thread-clock.js';
import { watchCpuTime } from './watch-cpu-time.js';

/** A thread that gets no CPU for this long is replaced. */
const STALL_MS = 120_000;

export interface ExtractionThreadsOptions {
  /** Number of threads. With two or more, one tenant never occupies all of them. */
  readonly threads: number;
  /** Maximum CPU time per window in ms, without the thread's start. Then it is terminated and the window fails. */
  readonly cpuMs: number;
  /** Maximum memory per thread. Beyond it, the thread is terminated and the window fails. */
  readonly maxMegabytes: number;
  /** Module that the threads run. Default: the built one next to this file. */
  readonly filename?: string;
  /** How long a thread may get no CPU before it is replaced and its window retried, in ms. Default: two minutes. */
  readonly stallMs?: number;
}

/**
 * Takes notes and parses model answers in worker threads. Regardless of a tenant's input, the event loop stays
 * responsive, other tenants' windows are processed, and the work ends at its limit of CPU time, however busy the
 * machine is. Threads are shared by the time that tenants use.
 */
export class ExtractionThreads {
  private readonly pool: Piscina<TimedTask, ExtractionTaskResult>;
  private readonly queue: FairQueue;

  constructor(private readonly options: ExtractionThreadsOptions) {
    const { threads, maxMegabytes, filename } = options;
    this.pool = new Piscina<TimedTask, ExtractionTaskResult>({
      filename: filename ?? new URL('./extraction-thread.js', import.meta.url).href,
      minThreads: threads,
      maxThreads: threads,
      resourceLimits: { maxOldGenerationSizeMb: maxMegabytes, stackSizeMb: 4 },
      // The threads need neither the process's environment, which contains secrets, nor its options.
      env: {},
      execArgv: [],
    });
    // A thread that exits between tasks is replaced; one that exits during a task fails that task.
    this.pool.on('error', () => undefined);
    this.queue = new FairQueue(threads, () => performance.now());
  }

  async takeNotes(input: ExtractionInput, signal: AbortSignal): Promise<RawAnswer> {
    return (await this.run({ kind: 'take notes', input }, signal)) as RawAnswer;
  }

  async readAnswer(input: ExtractionInput, rawAnswer: string, signal: AbortSignal): Promise<ReadAnswer> {
    return (await this.run({ kind: 'read answer', input, rawAnswer }, signal)) as ReadAnswer;
  }

  /** Terminates the threads, even while they are working. */
  close(): Promise<void> {
    return this.pool.destroy();
  }

  private run(task: ExtractionTask, signal: AbortSignal): Promise<RawAnswer | ReadAnswer> {
    return this.queue.run(task.input.tenantId, signal, async () => {
      const result = await this.inThread(task, signal);
      if ('done' in result) return result.done;
      const { code, message, rawAnswer } = result.failed;
      throw new ExtractionFailed(code, message, rawAnswer);
    });
  }

  private async inThread(task: ExtractionTask, signal: AbortSignal): Promise<ExtractionTaskResult> {
    const { cpuMs, maxMegabytes, stallMs = STALL_MS } = this.options;
    const clock = new ThreadClock();
    const limit = new AbortController();
    const stopWatching = watchCpuTime(clock, { cpuMs, stallMs }, (reason) => limit.abort(reason));
    try {
      const either = AbortSignal.any([signal, limit.signal]);
      return await this.pool.run({ task, clock: clock.memory }, { signal: either });
    } catch (error) {
      signal.throwIfAborted();
      limit.signal.throwIfAborted();
      const { code } = error as { code?: string };
      if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
        throw new WindowTooHeavy('extraction.too_large', `Reading the window took more than ${maxMegabytes} MB.`);
      }
      throw code === 'ERR_WORKER_INIT_FAILED' ? new ThreadResourcesMissing() : error;
    } finally {
      stopWatching();
    }
  }
}
