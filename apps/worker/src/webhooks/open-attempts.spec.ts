import { describe, expect, it } from 'vitest';
import { OpenAttempts } from './open-attempts.js';

const never = new AbortController().signal;
const deferred = () => {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
};
const attempts = (limit = 10, failures: unknown[] = []) =>
  new OpenAttempts({ limit, patienceMs: 5, onFailure: (error) => failures.push(error) });

describe('an attempt with a slow answer', () => {
  it('lets its job end and continues without it', async () => {
    const open = attempts();
    const answer = deferred();
    await open.run(() => answer.promise, never);
    expect(open.count).toBe(1);
    answer.resolve();
    await answer.promise;
    await open.close();
    expect(open.count).toBe(0);
  });

  it('keeps its job while too many attempts are open', async () => {
    const open = attempts(1);
    const [first, second] = [deferred(), deferred()];
    await open.run(() => first.promise, never);
    let ended = false;
    const held = open.run(() => second.promise, never).then(() => (ended = true));
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect([open.count, ended]).toEqual([1, false]);
    second.resolve();
    await held;
    first.resolve();
    await open.close();
  });

  it('is cancelled on shutdown', async () => {
    const open = attempts();
    const hanging = (signal: AbortSignal) =>
      new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    await open.run(hanging, never);
    await open.close();
    expect(open.count).toBe(0);
  });

  it('reports a failure itself once its job has ended, and through its job before', async () => {
    const failures: unknown[] = [];
    const open = attempts(10, failures);
    const answer = deferred();
    await open.run(() => answer.promise, never);
    const late = new Error('late');
    answer.reject(late);
    await open.close();
    expect(failures).toEqual([late]);
    await expect(open.run(() => Promise.reject(new Error('at once')), never)).rejects.toThrow('at once');
  });
});
