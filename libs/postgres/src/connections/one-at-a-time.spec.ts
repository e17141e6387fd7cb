import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { oneAtATime, type Patience } from './one-at-a-time.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe('work in turn', () => {
  const line = (patience: Patience) => {
    const inTurn = oneAtATime(patience);
    const startedAt = Date.now();
    const starts: Record<string, number> = {};
    const add = (name: string, ms: number, pauseMs = 0): Promise<string> =>
      inTurn(
        async () => {
          starts[name] = Date.now() - startedAt;
          await pass(ms);
          return name;
        },
        () => pass(pauseMs),
      );
    return { add, inTurn, starts };
  };
  const all = async <T>(work: readonly Promise<T>[]): Promise<T[]> => {
    const done = Promise.all(work);
    await vi.runAllTimersAsync();
    return done;
  };

  it('runs in order, each after the pause of the one before', async () => {
    const { add, starts } = line({ stuckMs: 1_000 });
    expect(await all([add('a', 80, 80), add('b', 80, 80), add('c', 80, 80)])).toEqual(['a', 'b', 'c']);
    expect(starts).toEqual({ a: 0, b: 160, c: 320 });
  });

  it('waits in a long queue without overtaking', async () => {
    const { add, starts } = line({ stuckMs: 100 });
    await all(Array.from({ length: 16 }, (_, n) => add(`work ${n}`, 90)));
    expect(Object.values(starts)).toEqual(Array.from({ length: 16 }, (_, n) => n * 90));
  });

  it('has its result before its pause', async () => {
    const { add } = line({ stuckMs: 1_000 });
    const done = add('a', 80, 10_000);
    await vi.advanceTimersByTimeAsync(80);
    expect(await Promise.race([done, pass(0)])).toBe('a');
  });

  it('tells how long it took', async () => {
    const { inTurn } = line({});
    const worked: number[] = [];
    await all([
      inTurn(
        () => pass(80),
        async (ms) => void worked.push(ms),
      ),
    ]);
    expect(worked).toEqual([80]);
  });

  it('is not impatient with a pause', async () => {
    const { add, starts } = line({ stuckMs: 100 });
    await all([add('a', 90, 90), add('b', 1)]);
    expect(starts).toEqual({ a: 0, b: 180 });
  });

  it('lets one at a time overtake stuck work', async () => {
    const { add, starts } = line({ stuckMs: 100 });
    await all([add('stuck', 10_000), add('a', 80), add('b', 80), add('c', 80)]);
    expect(starts).toEqual({ stuck: 0, a: 100, b: 180, c: 260 });
  });

  it('is patient with each again if several are stuck', async () => {
    const { add, starts } = line({ stuckMs: 100 });
    await all([add('stuck', 10_000), add('stuck too', 10_000), add('a', 80)]);
    expect(starts).toEqual({ stuck: 0, 'stuck too': 100, a: 200 });
  });

  it('continues after a failure, which rejects only its own call', async () => {
    const { add, inTurn, starts } = line({ stuckMs: 100 });
    const broken = inTurn(async () => {
      await pass(10);
      throw new Error('broken');
    }).catch((error: Error) => error.message);
    expect(await all([broken, add('a', 80)])).toEqual(['broken', 'a']);
    expect(starts).toEqual({ a: 10 });
  });

  it('ends a wait after its maximum, also in a long queue', async () => {
    const { add, starts } = line({ longestWaitMs: 100 });
    await all([add('a', 60), add('b', 60), add('c', 60)]);
    expect(starts).toEqual({ a: 0, b: 60, c: 100 });
  });
});
