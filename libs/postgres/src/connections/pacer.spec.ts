import { expect, it } from 'vitest';
import { inBatches } from './pacer.js';

it('bulk work takes all items, some at a time', async () => {
  const batches: (readonly number[])[] = [];
  await inBatches([1, 2, 3, 4, 5], { atOnce: 2, mostMs: 0 }, async (batch) => void batches.push(batch));
  expect(batches).toEqual([[1, 2], [3, 4], [5]]);
});
