import { expect, it } from 'vitest';
import { inBatches } from './pacer.js';

it('bulk work takes all items, some at a time, and rests after each batch but the last', async () => {
  const done: unknown[] = [];
  let nowMs = 0;
  const pace = {
    mostMs: 50,
    monotonicMs: () => nowMs,
    sleep: async (ms: number) => void done.push(`rest ${ms}`),
  };
  await inBatches([1, 2, 3, 4, 5], { atOnce: 2, ...pace }, async (batch) => {
    done.push(batch);
    nowMs += batch[0]! * 30;
  });
  expect(done).toEqual([[1, 2], 'rest 30', [3, 4], 'rest 50', [5]]);
});
