import { ThreadResourcesMissing, WindowTooHeavy } from '@turnkeeper/application';
import type { ThreadClock } from './thread-clock.js';

const CHECK_MS = 100;

/**
 * Calls `onExceeded` once: with `WindowTooHeavy` if the task has used more CPU time than it may, or with
 * `ThreadResourcesMissing` if its thread has got no CPU at all for `stallMs`, or never started. Stalls are counted in
 * checks, not by a clock, so that time in which the whole process stands still does not count.
 *
 * @returns stops watching
 */
export const watchCpuTime = (
  clock: Pick<ThreadClock, 'usedMs'>,
  { cpuMs, stallMs }: { readonly cpuMs: number; readonly stallMs: number },
  onExceeded: (reason: WindowTooHeavy | ThreadResourcesMissing) => void,
): (() => void) => {
  let lastMs: number | null = null;
  let idleChecks = 0;
  const end = (reason: WindowTooHeavy | ThreadResourcesMissing): void => {
    clearInterval(checking);
    onExceeded(reason);
  };
  const checking = setInterval(() => {
    const usedMs = clock.usedMs();
    if (usedMs !== null && usedMs > cpuMs) {
      return end(
        new WindowTooHeavy('extraction.too_slow', `Reading the window took more than ${cpuMs} ms of CPU time.`),
      );
    }
    idleChecks = usedMs === lastMs ? idleChecks + 1 : 0;
    lastMs = usedMs;
    if (idleChecks * CHECK_MS >= stallMs) end(new ThreadResourcesMissing());
  }, CHECK_MS);
  return () => clearInterval(checking);
};
