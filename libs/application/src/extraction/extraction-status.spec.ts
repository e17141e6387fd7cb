import { MemoryNotFound } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import type { DispatchCursor } from '../work/dispatch-cursor.port.js';
import type { EventStore } from '../log/event-store.port.js';
import type { ExtractionStates } from './extraction-states.port.js';
import type { MemoryStore } from '../memories/memory-store.port.js';
import { ExtractionStatus } from './extraction-status.js';

const status = (head: number, dispatched: number, ...pending: number[]) => {
  const asked: string[] = [];
  const answer =
    <T>(what: string, value: T) =>
    async (): Promise<T> => {
      asked.push(what);
      return value;
    };
  const strategies = pending.map((pendingSessions) => ({ strategyId: 's', pendingSessions, parkedSessions: 1 }));
  const useCase = new ExtractionStatus({
    memories: { find: async (tenantId: string) => (tenantId === 'acme' ? {} : null) } as unknown as MemoryStore,
    eventStore: { headPosition: answer('head', head) } as unknown as EventStore,
    cursor: { position: answer('cursor', dispatched) } as unknown as DispatchCursor,
    extractionStates: { progress: answer('progress', strategies) } as unknown as ExtractionStates,
  });
  return { useCase, asked };
};
const caughtUp = async (...[head, dispatched, ...pending]: [number, number, ...number[]]) =>
  (await status(head, dispatched, ...pending).useCase.execute('acme', 'm')).caughtUp;

describe('extraction status: caughtUp', () => {
  it('is true if all events are dispatched and no session is pending; parked sessions do not count', async () => {
    expect(await caughtUp(9, 9, 0, 0)).toBe(true);
    expect(await caughtUp(9, 10, 0)).toBe(true); // appended after the request
    expect(await caughtUp(0, 0)).toBe(true);
  });

  it('is false while events are undispatched or a session is pending', async () => {
    expect(await caughtUp(9, 8, 0)).toBe(false);
    expect(await caughtUp(9, 9, 0, 1)).toBe(false);
  });

  it('reads the head first, so an event appended in between can only delay the result, never falsify it', async () => {
    const { useCase, asked } = status(1, 1, 0);
    await useCase.execute('acme', 'm');
    expect(asked).toEqual(['head', 'cursor', 'progress']);
  });

  it('rejects with MemoryNotFound for another tenant', async () => {
    await expect(status(0, 0).useCase.execute('globex', 'm')).rejects.toBeInstanceOf(MemoryNotFound);
  });
});
