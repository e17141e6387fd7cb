import { describe, expect, it } from 'vitest';
import { LogUnavailable } from '../log/event-store.port.js';
import { InsertRecords } from './insert-records.js';
import { TenantQueue } from './tenant-queue.js';

/** Work that settles on the test's command. */
const work = (name: string, started: string[]) => {
  let resolve: (name: string) => void;
  let reject: (error: Error) => void;
  const promise = new Promise<string>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  const begin = () => {
    started.push(name);
    return promise;
  };
  return { begin, end: () => resolve(name), fail: () => reject(new Error(name)) };
};
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('TenantQueue', () => {
  it('runs one piece of work at a time, round robin over the tenants', async () => {
    const queue = new TenantQueue();
    const started: string[] = [];
    const pieces = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => work(name, started));
    const done = pieces.map(({ begin }, index) => queue.run('aaabcb'[index] as string, begin));
    const order = [0, 1, 3, 4, 2, 5];
    for (const [count, index] of order.entries()) {
      await settle();
      expect(started).toHaveLength(count + 1);
      pieces[index]?.end();
    }
    expect(await Promise.all(done)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'b2']);
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('continues after a failure, and starts immediately when idle', async () => {
    const queue = new TenantQueue();
    const started: string[] = [];
    const [failing, next, later] = ['failing', 'next', 'later'].map((name) => work(name, started));
    const failed = queue.run('a', failing!.begin);
    const followed = queue.run('a', next!.begin);
    failing!.fail();
    await expect(failed).rejects.toThrow('failing');
    next!.end();
    expect(await followed).toBe('next');
    const last = queue.run('b', later!.begin);
    expect(started).toEqual(['failing', 'next', 'later']);
    later!.end();
    await last;
  });

  it('rejects work of a tenant whose queue is full, but not of others', async () => {
    const queue = new TenantQueue(2);
    const started: string[] = [];
    const pieces = ['1', '2', '3', 'other'].map((name) => work(name, started));
    const taken = pieces.slice(0, 3).map(({ begin }) => queue.run('a', begin));
    await expect(queue.run('a', () => Promise.resolve())).rejects.toThrow(LogUnavailable);
    const other = queue.run('b', pieces[3]!.begin);
    for (const piece of pieces) piece.end();
    await Promise.all([...taken, other]);
    expect(started).toEqual(['1', '2', 'other', '3']);
  });
});

describe('InsertRecords', () => {
  it('runs large requests one at a time and small ones immediately', async () => {
    const filing: (() => void)[] = [];
    const insert = new InsertRecords({
      memories: { find: async () => ({ status: 'ACTIVE' }), strategies: async () => [] },
      unitOfWork: { appendFor: () => new Promise<[]>((resolve) => filing.push(() => resolve([]))) },
    } as unknown as ConstructorParameters<typeof InsertRecords>[0]);
    const request = (records: number) =>
      insert.execute(
        'tenant',
        'memory',
        Array.from({ length: records }, (_, n) => ({ text: `fact ${n}`, namespace: '/facts', strategyId: null })),
      );
    const done = [request(1_000), request(1_000), request(101)];
    await settle();
    expect(filing).toHaveLength(1);
    done.push(request(100), request(1));
    await settle();
    expect(filing).toHaveLength(3);
    for (let ended = 0; ended < 5; ended += 1) {
      filing[ended]?.();
      await settle();
    }
    expect(await Promise.all(done)).toHaveLength(5);
  });
});
