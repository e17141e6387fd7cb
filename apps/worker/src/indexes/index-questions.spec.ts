import { describe, expect, it } from 'vitest';
import { AT_ONCE, MOST_BEHIND, oneAtATime, questionIndexer } from './index-questions.js';

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

  it('is extended in small steps while its events take long, and in large ones again afterwards', async () => {
    let now = 0;
    let left = 4_000;
    const costMs = { perEvent: 0.5 };
    const steps: number[] = [];
    const tick = questionIndexer(
      {
        behind: async () => left,
        catchUp: async (most) => {
          const taken = Math.min(most, left);
          steps.push(taken);
          now += taken * costMs.perEvent;
          left -= taken;
          // Text of ordinary size follows.
          if (left < 2_000) costMs.perEvent = 0;
          return left;
        },
      },
      oneAtATime(),
      () => now,
    );
    await tick();
    // The first step measures; then 100 events take 50 ms.
    expect(steps.slice(0, 3)).toEqual([1_000, 100, 100]);
    expect(Math.max(...steps.slice(12))).toBeGreaterThan(300);
    expect(steps.reduce((sum, taken) => sum + taken, 0)).toBe(4_000);
  });

  it('never has a step or a rest beside those of the other indexes, whose failures do not stop it', async () => {
    let running = 0;
    let most = 0;
    const inTurn = oneAtATime();
    const indexer = (fails: boolean) => {
      let left = 3_000;
      return questionIndexer(
        {
          behind: async () => left,
          catchUp: async (step) => {
            most = Math.max(most, (running += 1));
            await new Promise((resolve) => setImmediate(resolve));
            running -= 1;
            if (fails) throw new Error('no database');
            return (left -= Math.min(left, step));
          },
        },
        inTurn,
      );
    };
    const outcomes = await Promise.allSettled([indexer(false)(), indexer(true)(), indexer(false)()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(most).toBe(1);
  });
});
