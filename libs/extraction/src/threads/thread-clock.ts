import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** The unit of CPU time in `/proc`, which is the same on every Linux. */
const MS_PER_TICK = 10;

/** What the shared memory holds: the thread's id in the operating system, and its CPU time when the task began. */
const THREAD = 0;
const FIRST_TICK = 1;

const NOT_BEGUN = 0;
/** There is no `/proc`: not Linux. */
const UNKNOWN = -1;

/**
 * The CPU time that a task has used in a worker thread. Time in which the thread waits for a CPU does not count, nor what
 * the thread did before the task: starting, loading modules. `Worker.cpuUsage()` would need Node 24.
 */
export class ThreadClock {
  /** To be passed to the thread, which calls `noteBegin` with it. */
  readonly memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
  private readonly noted = new Int32Array(this.memory);
  /** Where threads cannot be measured: the process's times when the task was first seen running. */
  private processBegan: { readonly cpu: NodeJS.CpuUsage; readonly wallMs: number } | null = null;

  /** In ms; null before the task begins. Without `/proc` an upper bound, from the whole process. */
  usedMs(): number | null {
    const thread = Atomics.load(this.noted, THREAD);
    if (thread === NOT_BEGUN) return null;
    if (thread === UNKNOWN) return this.usedByProcess();
    const ticks = ticksOf(thread);
    // The thread has ended, and the task with it.
    return ticks === null ? 0 : (ticks - Atomics.load(this.noted, FIRST_TICK)) * MS_PER_TICK;
  }

  private usedByProcess(): number {
    this.processBegan ??= { cpu: process.cpuUsage(), wallMs: performance.now() };
    const { user, system } = process.cpuUsage(this.processBegan.cpu);
    return Math.min((user + system) / 1_000, performance.now() - this.processBegan.wallMs);
  }
}

/** Called by the thread when it begins a task. */
export const noteBegin = (memory: SharedArrayBuffer): void => {
  const noted = new Int32Array(memory);
  const thread = ownThread();
  Atomics.store(noted, FIRST_TICK, ticksOf(thread) ?? 0);
  Atomics.store(noted, THREAD, thread);
};

const ownThread = (): number => {
  try {
    return Number(basename(readlinkSync('/proc/thread-self')));
  } catch {
    return UNKNOWN;
  }
};

/** User and system time of a thread of this process; null if there is no such thread. */
const ticksOf = (thread: number): number | null => {
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    // The name of the thread, in parentheses, may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return null;
  }
};
