import { describe, expect, it } from 'vitest';
import { CallerActivity } from './caller-activity.js';

describe('after background work', () => {
  const state = () => {
    const pauses: number[] = [];
    let nowMs = 0;
    const callers = new CallerActivity({
      monotonicMs: () => nowMs,
      sleep: async (ms) => void pauses.push(ms),
    });
    return { callers, pauses, pass: (ms: number): void => void (nowMs += ms) };
  };

  it('there is a pause for as long as it took while callers append', async () => {
    const { callers, pauses } = state();
    callers.note(3);
    await callers.pauseAfter(30);
    expect(pauses).toEqual([30]);
  });

  it('the pause is limited', async () => {
    const { callers, pauses } = state();
    callers.note(1);
    await callers.pauseAfter(900);
    expect(pauses).toEqual([200]);
  });

  it('there is no pause when no caller has appended for a second', async () => {
    const { callers, pass, pauses } = state();
    await callers.pauseAfter(30);
    callers.note(1);
    pass(1_000);
    await callers.pauseAfter(30);
    expect(pauses).toEqual([]);
  });

  it('the pause is the longest while followers of the log are behind', async () => {
    const { callers, pauses } = state();
    callers.noteFollowers(true);
    await callers.pauseAfter(30);
    callers.noteFollowers(false);
    await callers.pauseAfter(30);
    expect(pauses).toEqual([200]);
  });

  it('events without turns do not count as appends of callers', async () => {
    const { callers, pauses } = state();
    callers.note(0);
    await callers.pauseAfter(30);
    expect(pauses).toEqual([]);
  });

  it('a process that stops ends its pause and begins no other', async () => {
    let pauses = 0;
    const callers = new CallerActivity({ sleep: () => new Promise(() => void (pauses += 1)) });
    callers.note(1);
    const pause = callers.pauseAfter(30);
    callers.stop();
    await pause;
    await callers.pauseAfter(30);
    expect(pauses).toBe(1);
  });
});
