import { expect, it } from 'vitest';
import { resting } from './resting.js';

it('rests after each item as long as it took, at most 200 ms', async () => {
  let nowMs = 0;
  const rests: number[] = [];
  const took = [5, 0, 120, 3_000];
  const items = async function* (): AsyncGenerator<number> {
    yield* took;
  };
  const sleep = async (ms: number): Promise<void> => void rests.push(ms);
  const seen: number[] = [];
  for await (const ms of resting(items(), { monotonicMs: () => nowMs, sleep })) {
    seen.push(ms);
    nowMs += ms;
  }
  expect(seen).toEqual(took);
  expect(rests).toEqual([5, 0, 120, 200]);
});
