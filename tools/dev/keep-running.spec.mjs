import { describe, expect, it, vi } from 'vitest';
import { keepRunning } from './keep-running.mjs';

vi.mock('../shared/steps.mjs', () => ({ say: () => {}, line: () => '' }));

describe('keeping a process running', () => {
  const ended = (how) => ({ name: 'worker', logFile: '/nonexistent', exited: Promise.resolve(how) });
  const pause = async () => {};

  it('restarts it after a kill, until told to stop', async () => {
    let starts = 0;
    const start = async () => {
      starts += 1;
      return ended('signal SIGKILL');
    };
    await keepRunning(ended('signal SIGKILL'), start, () => starts === 3, { pause, now: () => starts * 30_000 });
    expect(starts).toBe(3);
  });

  it('gives up if it exits repeatedly', async () => {
    let starts = 0;
    const start = async () => {
      starts += 1;
      return ended('exit code 1');
    };
    const kept = keepRunning(ended('exit code 1'), start, () => false, { pause, now: () => starts * 100 });
    await expect(kept).rejects.toThrow(/worker keeps exiting \(exit code 1\)/);
    expect(starts).toBe(5);
  });
});
