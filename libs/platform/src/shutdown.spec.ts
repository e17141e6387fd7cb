import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Logger } from './logger.js';
import { stopOnSignal, together, type Shutdown, type ShutdownStep } from './shutdown.js';

const DEADLINE_SECONDS = 10;

describe('stopOnSignal', () => {
  const logger = { info: vi.fn(), error: vi.fn() };
  const exit = vi.fn();
  const listeners = new Map((['SIGTERM', 'SIGINT'] as const).map((signal) => [signal, process.listeners(signal)]));

  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(process, 'exit').mockImplementation(exit as never);
    for (const mock of [exit, logger.info, logger.error]) mock.mockReset();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    for (const [signal, before] of listeners) {
      for (const listener of process.listeners(signal)) {
        if (!before.includes(listener)) process.off(signal, listener);
      }
    }
  });

  const stopWith = (...steps: readonly ShutdownStep[]) =>
    stopOnSignal(logger as unknown as Logger, DEADLINE_SECONDS, steps);
  const signal = async (name: 'SIGTERM' | 'SIGINT', ms = 0): Promise<void> => {
    process.emit(name);
    await vi.advanceTimersByTimeAsync(ms);
  };
  const step = (name: string, run: () => Promise<void> = async () => undefined) => ({ name, run: vi.fn(run) });
  const after = (ms: number) => () => new Promise<void>((resolve) => setTimeout(resolve, ms));

  it.each(['SIGTERM', 'SIGINT'] as const)('runs the steps in sequence on %s and exits successfully', async (name) => {
    const [first, second] = [step('http', after(3_000)), step('database')];
    stopWith(first, second);
    await signal(name, 2_999);
    expect(second.run).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(second.run).toHaveBeenCalledTimes(1);
    expect(exit.mock.calls).toEqual([[0]]);
  });

  it('continues after a failed step and reports it in the exit code', async () => {
    const last = step('database');
    const broken = step('relay', () => Promise.reject(new Error('no NATS')));
    stopWith(broken, last);
    await signal('SIGTERM');
    expect(last.run).toHaveBeenCalledTimes(1);
    expect(exit.mock.calls).toEqual([[1]]);
    expect(logger.info).toHaveBeenCalledWith(expect.objectContaining({ failed: ['relay'] }), 'process.stopped');
  });

  it('exits at the deadline', async () => {
    const last = step('database');
    stopWith(step('http', after(60_000)), last);
    await signal('SIGTERM', DEADLINE_SECONDS * 1_000 - 1);
    expect(exit).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(exit.mock.calls).toEqual([[1]]);
    expect(last.run).not.toHaveBeenCalled();
  });

  it.each([
    [1, 800],
    [10, 8_000],
    [60, 58_000],
  ])('of %i s leaves time to close connections, and never a negative time for work', async (seconds, workMs) => {
    const left: number[] = [];
    const look = step('work', async () => undefined);
    look.run.mockImplementation((async ({ workLeftMs }: Shutdown) => void left.push(workLeftMs())) as never);
    stopOnSignal(logger as unknown as Logger, seconds, [look, step('slow', after(seconds * 980)), look]);
    await signal('SIGTERM', seconds * 980);
    expect(left).toEqual([workMs, 0]);
  });

  it('shares the remaining time between concurrent steps', async () => {
    const last = step('database');
    const both = {
      name: 'both',
      run: together(after(3_000), after(4_000), () => Promise.reject(new Error('no NATS'))),
    };
    stopWith(both, last);
    await signal('SIGTERM', 3_999);
    expect(last.run).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(last.run).toHaveBeenCalledTimes(1);
    expect(logger.info).toHaveBeenCalledWith(expect.objectContaining({ failed: ['both'] }), 'process.stopped');
  });

  it('stops once, however many signals it receives', async () => {
    const only = step('http', after(1_000));
    stopWith(only);
    await signal('SIGTERM');
    await signal('SIGINT');
    await signal('SIGTERM', 1_000);
    expect(only.run).toHaveBeenCalledTimes(1);
    expect(exit.mock.calls).toEqual([[0]]);
  });
});
