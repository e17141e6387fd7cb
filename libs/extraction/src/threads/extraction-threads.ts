import {
  ExtractionFailed,
  WindowTooHeavy,
  type ExtractionInput,
  type RawAnswer,
  type ReadAnswer,
} from '@turnkeeper/application';
import { Piscina } from 'piscina';
import type { ExtractionTask, ExtractionTaskResult } from './extraction-task.js';
import { FairQueue } from './fair-queue.js';

export interface ExtractionThreadsOptions {
  /** Number of threads. With two or more, one tenant never occupies all of them. */
  readonly threads: number;
  /** Maximum time per window in ms. Then the thread is terminated and the window fails. */
  readonly deadlineMs: number;
  /** Maximum memory per thread. Beyond it, the thread is terminated and the window fails. */
  readonly maxMegabytes: number;
  /** Module that the threads run. Default: the built one next to this file. */
  readonly filename?: string;
}

/**
 * Runs the rules and parses model answers in worker threads. Regardless of a tenant's input, the event loop stays
 * responsive, other tenants' windows are processed, and the work ends at its deadline. Threads are shared by the time
 * that tenants use.
 */
export class ExtractionThreads {
  private readonly pool: Piscina<ExtractionTask, ExtractionTaskResult>;
  private readonly queue: FairQueue;

  constructor(private readonly options: ExtractionThreadsOptions) {
    const { threads, maxMegabytes, filename } = options;
    this.pool = new Piscina<ExtractionTask, ExtractionTaskResult>({
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

  async applyRules(input: ExtractionInput, signal: AbortSignal): Promise<RawAnswer> {
    return (await this.run({ kind: 'apply rules', input }, signal)) as RawAnswer;
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
    const { deadlineMs, maxMegabytes } = this.options;
    const deadline = AbortSignal.timeout(deadlineMs);
    try {
      return await this.pool.run(task, { signal: AbortSignal.any([signal, deadline]) });
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.aborted) {
        throw new WindowTooHeavy('extraction.too_slow', `Reading the window took longer than ${deadlineMs} ms.`);
      }
      if ((error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY') {
        throw new WindowTooHeavy('extraction.too_large', `Reading the window took more than ${maxMegabytes} MB.`);
      }
      throw error;
    }
  }
}
