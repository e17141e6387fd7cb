import { describe, expect, it } from 'vitest';
import { inSlices, inSteps, TimeSlices } from './time-slices.js';

const SLICE_MS = 2;

/** The test moves the clock and the event loop. */
const given = () => {
  let now = 0;
  const ready: (() => void)[] = [];
  const slices = new TimeSlices(
    () => now,
    (then) => void ready.push(then),
    SLICE_MS,
  );
  const order: string[] = [];
  return {
    slices,
    order,
    takes: (ms: number) => void (now += ms),
    /** Work of this many steps, each of which takes as long as a slice. */
    start: async (name: string, steps: number) => {
      await inSlices(
        Array.from({ length: steps }),
        () => {
          now += SLICE_MS;
          order.push(name);
        },
        slices,
      );
    },
    /** One round of the event loop: what is ready now, and what follows from it at once. */
    round: async () => {
      for (const then of ready.splice(0)) then();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
};

describe('work in slices', () => {
  it('goes on without a pause while it is short', async () => {
    const { slices, takes } = given();
    const results = await inSlices(
      [1, 2, 3],
      (item) => {
        takes(0.5);
        return item * 2;
      },
      slices,
    );
    expect(results).toEqual([2, 4, 6]);
  });

  it('pauses between steps that others wrote', async () => {
    const { slices, takes, round, order } = given();
    function* steps() {
      for (const name of ['first', 'second', 'third']) {
        takes(SLICE_MS);
        order.push(name);
        yield;
      }
      return 'whole';
    }
    const done = inSteps(steps(), slices.begin());
    expect(order).toEqual(['first']);
    await round();
    expect(order).toEqual(['first', 'second']);
    await round();
    await round();
    expect(await done).toBe('whole');
  });

  it('lets other requests go on after each slice', async () => {
    const { start, round, order } = given();
    const done = start('long', 3);
    expect(order).toEqual(['long']);
    await round();
    order.push('request');
    await round();
    await done;
    expect(order).toEqual(['long', 'long', 'request', 'long']);
  });

  it('runs one slice per round, first of the work that has used the least time', async () => {
    const { start, round, order } = given();
    const all = [start('long', 5), start('long too', 5)];
    await round();
    await round();
    const short = start('short', 2);
    await round();
    await short;
    expect(order).toEqual(['long', 'long too', 'long', 'long too', 'short', 'short']);
    while (order.length < 12) await round();
    await Promise.all(all);
  });

  it('goes on in the end although shorter work arrives all the time', async () => {
    const { start, round, order } = given();
    const long = start('long', 3);
    for (let at = 0; at < 20; at += 1) {
      void start('short', 2);
      await round();
    }
    await long;
    expect(order.filter((name) => name === 'long')).toHaveLength(3);
    expect(order.lastIndexOf('long')).toBeLessThan(20);
  });
});
