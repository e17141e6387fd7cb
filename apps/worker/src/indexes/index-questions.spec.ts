import { describe, expect, it } from 'vitest';
import { AT_ONCE, MOST_BEHIND, questionIndexer } from './index-questions.js';

/** A log that grows between ticks, and an index that follows it. */
const following = () => {
  const state = { head: 0, indexed: 0 };
  const tick = questionIndexer({
    behind: async () => state.head - state.indexed,
    catchUp: async (most) => {
      state.indexed = Math.min(state.head, state.indexed + most);
      return state.head - state.indexed;
    },
  });
  const grow = async (by: number): Promise<number> => {
    state.head += by;
    const before = state.indexed;
    await tick();
    return state.indexed - before;
  };
  return { grow, behind: () => state.head - state.indexed };
};

describe('the index of questions', () => {
  it('is at the head while the log grows slowly', async () => {
    const { grow, behind } = following();
    for (const by of [0, 10, AT_ONCE, 1, AT_ONCE]) {
      await grow(by);
      expect(behind()).toBe(0);
    }
  });

  it('is paused during a burst, and catches up afterwards', async () => {
    const { grow, behind } = following();
    for (let second = 0; second < 4; second += 1) expect(await grow(2 * AT_ONCE)).toBe(0);
    expect(behind()).toBe(8 * AT_ONCE);
    await grow(10);
    expect(behind()).toBe(0);
  });

  it('lags no further than a reader can compensate for', async () => {
    const { grow, behind } = following();
    for (let second = 0; second < 40; second += 1) {
      await grow(8 * AT_ONCE);
      expect(behind()).toBeLessThanOrEqual(MOST_BEHIND);
    }
  });

  it('indexes an existing log step by step', async () => {
    const { grow, behind } = following();
    await grow(500_000);
    for (let second = 0; second < 5; second += 1) await grow(0);
    expect(behind()).toBe(0);
  });
});
