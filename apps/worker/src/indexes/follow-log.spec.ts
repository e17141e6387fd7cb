import { describe, expect, it } from 'vitest';
import { followLog, oneAtATime } from './follow-log.js';

/** A log that grows between ticks, and an index that follows it. */
const following = (patience = 0) => {
  const state = { head: 0, indexed: 0 };
  const tick = followLog(
    {
      behind: async () => state.head - state.indexed,
      catchUp: async (most) => {
        state.indexed = Math.min(state.head, state.indexed + most);
        return state.head - state.indexed;
      },
    },
    oneAtATime(),
    { patience },
  );
  const grow = async (by: number): Promise<number> => {
    state.head += by;
    const before = state.indexed;
    await tick();
    return state.indexed - before;
  };
  return { grow, behind: () => state.head - state.indexed };
};

describe('an index that follows the log', () => {
  it('is at the head after each tick, however fast the log grows', async () => {
    const { grow, behind } = following();
    for (const by of [0, 10, 80_000, 1, 5_000]) {
      await grow(by);
      expect(behind()).toBe(0);
    }
  });

  it('can wait while the log grows: for some ticks, until it stops, or until a whole step is left', async () => {
    const { grow } = following(3);
    const taken: number[] = [];
    for (const by of [10, 10, 10, 10, 10, 0, 0, 7_000, 7_000]) taken.push(await grow(by));
    expect(taken).toEqual([0, 0, 0, 40, 0, 10, 0, 0, 14_000]);
  });

  it('indexes an existing log step by step', async () => {
    const { grow, behind } = following();
    await grow(500_000);
    for (let second = 0; second < 5; second += 1) await grow(0);
    expect(behind()).toBe(0);
  });

  it('is extended in small steps while its events take long, and in large ones again afterwards', async () => {
    let now = 0;
    let left = 30_000;
    const costMs = { perEvent: 0.2 };
    const steps: number[] = [];
    const tick = followLog(
      {
        behind: async () => left,
        catchUp: async (most) => {
          const taken = Math.min(most, left);
          steps.push(taken);
          now += taken * costMs.perEvent;
          left -= taken;
          // Text of ordinary size follows.
          if (left < 16_000) costMs.perEvent = 0;
          return left;
        },
      },
      oneAtATime(),
      { monotonicMs: () => now },
    );
    await tick();
    // The first step measures; then 5,000 events take a second.
    expect(steps).toEqual([10_000, 5_000, 5_000, 10_000]);
  });

  it('never has a step or a rest beside those of the other indexes, whose failures do not stop it', async () => {
    let running = 0;
    let most = 0;
    const inTurn = oneAtATime();
    const indexer = (fails: boolean) => {
      let left = 3_000;
      return followLog(
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
