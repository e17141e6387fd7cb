import { expect, it } from 'vitest';
import { CallOrder } from './call-order.js';

it('begins a write after all earlier calls, and a read after earlier writes', async () => {
  const order = new CallOrder();
  const log: string[] = [];
  const pending = new Map<string, () => void>();
  const work = (name: string) => (): Promise<void> => {
    log.push(name);
    return new Promise((resolve, reject) => {
      pending.set(name, () => (name.includes('fails') ? reject(new Error(name)) : resolve()));
    });
  };
  const calls = [
    order.write(work('write 1 fails')),
    order.write(work('write 2')),
    order.read(work('read 1 fails')),
    order.read(work('read 2')),
    order.write(work('write 3')),
  ].map((call) => call.catch((error: unknown) => String(error)));
  const begun = async (...names: string[]): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    expect(log).toEqual(names);
  };
  await begun('write 1 fails');
  pending.get('write 1 fails')?.();
  await begun('write 1 fails', 'write 2');
  pending.get('write 2')?.();
  await begun('write 1 fails', 'write 2', 'read 1 fails', 'read 2');
  pending.get('read 1 fails')?.();
  await begun('write 1 fails', 'write 2', 'read 1 fails', 'read 2');
  pending.get('read 2')?.();
  await begun('write 1 fails', 'write 2', 'read 1 fails', 'read 2', 'write 3');
  pending.get('write 3')?.();
  expect((await Promise.all(calls))[0]).toBe('Error: write 1 fails');
});
