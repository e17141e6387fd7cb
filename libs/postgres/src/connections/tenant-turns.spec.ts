import { expect, it, vi } from 'vitest';
import { isDatabaseAway } from './database-away.js';
import { TenantTurns } from './tenant-turns.js';

/** Statements that end when they are told to, in the order in which they began. */
const setUp = (connections: number) => {
  const turns = new TenantTurns(connections);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (tenantId: string, failure?: Error) =>
    turns.run(tenantId, async () => {
      begun.push(tenantId);
      await new Promise<void>((end) => ends.push(end));
      if (failure !== undefined) throw failure;
    });
  const endNext = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { turns, begun, ask, endNext };
};

it('a tenant waits for one statement of another, however many of them wait', async () => {
  const { turns, begun, ask, endNext } = setUp(2);
  const all = Array.from({ length: 20 }, () => ask('flood'));
  all.push(ask('other'));
  expect([begun.length, turns.waitingCount]).toEqual([2, 19]);
  // The flood was first in the queue.
  await endNext();
  await endNext();
  expect(begun).toEqual(['flood', 'flood', 'flood', 'other']);
  for (let left = all.length; left > 0; left -= 1) await endNext();
  await Promise.all(all);
  expect(begun).toHaveLength(21);
  expect(turns.waitingCount).toBe(0);
});

it('statements of a tenant begin in order, and one that fails passes its connection on', async () => {
  const { begun, ask, endNext } = setUp(1);
  const failed = expect(ask('a', new Error('no such table'))).rejects.toThrow('no such table');
  const rest = [ask('b'), ask('c'), ask('b')];
  await endNext();
  await failed;
  for (let left = rest.length; left > 0; left -= 1) await endNext();
  await Promise.all(rest);
  expect(begun).toEqual(['a', 'b', 'c', 'b']);
});

it('a statement that waits too long is rejected as by the pool, and the others keep their turns', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { turns, begun, ask, endNext } = setUp(1);
    const first = ask('a');
    const late = expect(ask('b')).rejects.toSatisfy(isDatabaseAway);
    vi.advanceTimersByTime(4_000);
    const next = ask('b');
    vi.advanceTimersByTime(1_000);
    await late;
    expect(turns.waitingCount).toBe(1);
    await endNext();
    await endNext();
    await Promise.all([first, next]);
    expect(begun).toEqual(['a', 'b']);
    await endNext();
    expect(turns.waitingCount).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
