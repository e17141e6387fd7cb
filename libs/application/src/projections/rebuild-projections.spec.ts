import { randomUUID } from 'node:crypto';
import type { LogEvent } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import { RebuildProjections } from './rebuild-projections.js';

/** Rebuilds a log of one event. Resolves to the calls that the projections received. */
const rebuildOf = async (data: object, schemaVersion = 1): Promise<readonly string[]> => {
  const called: string[] = [];
  const recorder = (name: string, answers: object = {}) =>
    new Proxy(answers, {
      get: (target, key) =>
        Reflect.get(target, key) ??
        (async () => {
          called.push(`${name}.${String(key)}`);
        }),
    });
  const event = { eventId: randomUUID(), position: 1, type: 'records.withdrawn', schemaVersion, data } as LogEvent;
  const run = async (work: (tx: never) => Promise<unknown>) => work({} as never);
  const shadow = { run, replace: async (catchUp: typeof run) => run(catchUp).then(() => ({ drift: [] })) };
  const eventStore = {
    headPosition: async () => 1,
    readLog: async (after: number) => (after === 0 ? [event] : []),
  };
  const projections = { recordWriter: recorder('records'), shadow: recorder('shadow', shadow) };
  await new RebuildProjections({ eventStore, ...projections } as never).execute();
  return called;
};

describe('a rebuild', () => {
  it('projects valid events', async () => {
    expect(await rebuildOf({ recordIds: [randomUUID()], reason: 'requested' })).toContain('records.remove');
  });

  it('names an event that violates its schema, and swaps nothing', async () => {
    await expect(rebuildOf({ recordIds: 'all', reason: 'requested' })).rejects.toThrow(
      /^Event [-0-9a-f]{36} at position 1 is invalid\. .*breaks its contract.* Nothing was swapped in\.$/,
    );
  });

  it('ignores events of later releases', async () => {
    expect(await rebuildOf({ recordIds: 'all' }, 99)).not.toContain('records.remove');
  });
});
