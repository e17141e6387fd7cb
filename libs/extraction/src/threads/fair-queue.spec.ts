import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.js';

const never = new AbortController().signal;
const settle = () => new Promise((resolve) => setImmediate(resolve));

const setUp = (slots: number) => {
  let nowMs = 0;
  // Never stands still.
  const queue = new FairQueue(slots, () => (nowMs += 0.001));
  const started: string[] = [];
  const running: { name: string; finish: () => void }[] = [];
  const add = (tenantId: string, name: string, signal = never) =>
    queue.run(tenantId, signal, () => {
      started.push(name);
      return new Promise<void>((resolve) => running.push({ name, finish: resolve }));
    });
  /** Finishes a running task after the given time. */
  const finish = async (name: string, afterMs: number) => {
    nowMs += afterMs;
    running.find((task) => task.name === name)?.finish();
    await settle();
  };
  return { queue, add, finish, started };
};

describe('a fair queue', () => {
  it('keeps one slot free from a tenant that could fill all of them', async () => {
    const { add, started } = setUp(3);
    for (const name of ['a1', 'a2', 'a3', 'a4']) void add('a', name);
    await settle();
    expect(started).toEqual(['a1', 'a2']);
    void add('b', 'b1');
    await settle();
    expect(started).toEqual(['a1', 'a2', 'b1']);
  });

  it('gives a free slot to the tenant with the least used time, however many tasks are queued before it', async () => {
    const { add, finish, started } = setUp(2);
    for (let n = 1; n <= 50; n += 1) void add('large', `large ${n}`);
    void add('small', 'small 1');
    void add('other', 'other 1');
    await settle();
    expect(started).toEqual(['large 1', 'small 1']);
    await finish('large 1', 800);
    expect(started.at(-1)).toBe('other 1');
    void add('small', 'small 2');
    await finish('small 1', 10);
    await finish('other 1', 10);
    // The remaining tasks run when no other tenant is waiting.
    expect(started.slice(3).sort()).toEqual(['large 2', 'small 2']);
  });

  it('does not let a tenant that begins now go first for as long as another one has worked', async () => {
    const { add, finish, started } = setUp(1);
    for (let n = 1; n <= 50; n += 1) {
      void add('steady', `steady ${n}`);
      await settle();
      await finish(`steady ${n}`, 20);
    }
    for (let n = 1; n <= 10; n += 1) void add('new', `new ${n}`);
    void add('steady', 'steady 51');
    await settle();
    await finish('new 1', 50);
    expect(started.slice(50)).toEqual(['new 1', 'steady 51']);
  });

  it('runs the tasks of a tenant in their order', async () => {
    const { add, finish, started } = setUp(1);
    for (const name of ['first', 'second', 'third']) void add('a', name);
    await settle();
    await finish('first', 10);
    await finish('second', 10);
    expect(started).toEqual(['first', 'second', 'third']);
  });

  it('forgets time used long ago', async () => {
    const { add, finish, started } = setUp(1);
    void add('early', 'early 1');
    await settle();
    await finish('early 1', 5_000);
    void add('late', 'late 1');
    await settle();
    await finish('late 1', 120_000);
    void add('x', 'x');
    void add('late', 'late 2');
    void add('early', 'early 2');
    await settle();
    await finish('x', 1);
    expect(started.at(-1)).toBe('early 2');
  });

  it('removes a task that is aborted while queued, and frees the slot of a task that fails', async () => {
    const { queue, add, started } = setUp(1);
    const failing = queue.run('a', never, () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    void add('a', 'a1');
    const shutdown = new AbortController();
    const waiting = add('b', 'b1', shutdown.signal);
    shutdown.abort(new Error('shutdown'));
    await expect(waiting).rejects.toThrow('shutdown');
    expect(queue.size).toBe(0);
    await settle();
    expect(started).toEqual(['a1']);
  });
});
