import type { StagedAppend } from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TypeOrmUnitOfWork } from './unit-of-work.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Connections whose statements take no time. */
const dataSource = {
  createQueryRunner: () => ({
    connect: async () => ({ query: async () => [], on: () => undefined, off: () => undefined }),
    startTransaction: async () => undefined,
    release: async () => undefined,
  }),
} as unknown as DataSource;

it.each([
  { work: 40, pause: 40 },
  { work: 80, pause: 0 },
  { work: 80, pause: 80 },
  { work: 200, pause: 200 },
  { work: 900, pause: 200 },
])('16 background appends run one at a time, also during their pauses: %o', async ({ work, pause }) => {
  let [open, most] = [0, 0];
  const callers = {
    pauseAfter: async (): Promise<void> => {
      await pass(pause);
      open -= 1;
    },
  };
  const unitOfWork = new TypeOrmUnitOfWork(dataSource, {} as StagedAppend, callers);
  const all = Promise.all(
    Array.from({ length: 16 }, () =>
      unitOfWork.append(async () => {
        most = Math.max(most, (open += 1));
        await pass(work);
        return { append: [], result: () => 'done' };
      }),
    ),
  );
  await vi.runAllTimersAsync();
  expect(await all).toHaveLength(16);
  expect(most).toBe(1);
});
