import { EmbeddingFailed } from '@turnkeeper/application';
import { describe, expect, it, vi } from 'vitest';
import { embedInBackground } from './embed-in-background.js';

describe('embedding turns', () => {
  const report = () => ({ behind: vi.fn(), refused: vi.fn(), failed: vi.fn() });
  const signal = new AbortController().signal;

  it('continues until nothing is left, and reports what the model refused', async () => {
    const told = report();
    const steps = [
      { left: 300, refused: 0 },
      { left: 40, refused: 2 },
      { left: 0, refused: 0 },
    ];
    const step = vi.fn(async () => steps.shift()!);
    await embedInBackground({ step }, told)(signal);
    expect(step).toHaveBeenCalledTimes(3);
    expect(told.behind.mock.lastCall).toEqual([0]);
    expect(told.refused.mock.calls).toEqual([[2]]);
  });

  it('pauses for 15 seconds after the model failed', async () => {
    let now = 1_000;
    const told = report();
    const step = vi.fn(async () => Promise.reject(new EmbeddingFailed('model.unreachable', 'refused')));
    const embed = embedInBackground({ step }, told, () => now);
    await embed(signal);
    await embed(signal);
    expect(step).toHaveBeenCalledTimes(1);
    now += 15_000;
    await embed(signal);
    expect(told.failed).toHaveBeenCalledTimes(2);
  });

  it('continues after the pause even if the clock was set back', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const step = vi.fn(async () => Promise.reject(new EmbeddingFailed('model.unreachable', 'refused')));
    const embed = embedInBackground({ step }, report());
    await embed(signal);
    vi.advanceTimersByTime(16_000);
    vi.setSystemTime(Date.now() - 3_600_000);
    await embed(signal);
    vi.useRealTimers();
    expect(step).toHaveBeenCalledTimes(2);
  });

  it('does not hide other failures', async () => {
    const step = async () => Promise.reject(new Error('database is away'));
    await expect(embedInBackground({ step }, report())(signal)).rejects.toThrow('database is away');
  });
});
