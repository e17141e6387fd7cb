import { describe, expect, it } from 'vitest';
import { CallerActivity } from './caller-activity.js';

describe('background work', () => {
  const state = () => {
    const rests: number[] = [];
    let nowMs = 0;
    const callers = new CallerActivity({
      monotonicMs: () => nowMs,
      sleep: async (ms) => void rests.push(ms),
    });
    const pass = (ms: number): void => void (nowMs += ms);
    const work = (ms: number) => callers.yieldAfter(async () => pass(ms));
    return { callers, pass, work, rests };
  };

  it('pauses for as long as it took while callers append', async () => {
    const { callers, work, rests } = state();
    callers.note(3);
    await work(30);
    expect(rests).toEqual([30]);
  });

  it('pauses for a limited time', async () => {
    const { callers, work, rests } = state();
    callers.note(1);
    await work(900);
    expect(rests).toEqual([200]);
  });

  it('does not pause when no caller has appended for a second', async () => {
    const { callers, pass, work, rests } = state();
    await work(30);
    callers.note(1);
    pass(1_000);
    await work(30);
    expect(rests).toEqual([]);
  });

  it('does not take events without turns for appends of callers', async () => {
    const { callers, work, rests } = state();
    callers.note(0);
    await work(30);
    expect(rests).toEqual([]);
  });

  it('pauses after a failure too, and reports it', async () => {
    const { callers, pass, rests } = state();
    callers.note(1);
    const broken = callers.yieldAfter(async () => {
      pass(20);
      throw new Error('no database');
    });
    await expect(broken).rejects.toThrow('no database');
    expect(rests).toEqual([20]);
  });
});
