import { describe, expect, it } from 'vitest';
import type { Strategy } from '../strategy/strategy.js';
import { evolveMemory, type Memory, type MemoryEvent } from './memory.js';

const strategy = (changes: Partial<Strategy> = {}): Strategy => ({
  strategyId: 's1',
  name: 'facts',
  type: 'SEMANTIC',
  version: 1,
  namespaceTemplate: '/n',
  automatic: true,
  customPrompt: null,
  ...changes,
});

let clock = 0;
const fold = (...events: readonly Pick<MemoryEvent, 'type' | 'data'>[]): Memory => {
  clock = 0;
  return events.reduce<Memory | null>((memory, event) => {
    clock += 1;
    const recordedAt = `2026-01-0${clock}T00:00:00.000Z`;
    return evolveMemory(memory, { tenantId: 't', memoryId: 'm', recordedAt, ...event } as MemoryEvent);
  }, null)!;
};

const created = {
  type: 'memory.created',
  data: { name: 'support', description: 'first', eventExpiryDuration: 30, strategies: [strategy()] },
} as const;

describe('a memory', () => {
  it('is active once created, and so are its strategies', () => {
    expect(fold(created)).toEqual({
      memoryId: 'm',
      tenantId: 't',
      name: 'support',
      description: 'first',
      eventExpiryDuration: 30,
      status: 'ACTIVE',
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
      strategies: [
        {
          ...strategy(),
          status: 'ACTIVE',
          createdAt: '2026-01-01T00:00:00.000Z',
          updatedAt: '2026-01-01T00:00:00.000Z',
        },
      ],
    });
  });

  it('applies a new description and expiry, with the time of the change', () => {
    const memory = fold(
      created,
      { type: 'memory.described', data: { description: 'second' } },
      { type: 'memory.expiry_changed', data: { eventExpiryDuration: 7, appliedToExisting: false } },
    );
    expect(memory).toMatchObject({ description: 'second', eventExpiryDuration: 7 });
    expect([memory.createdAt, memory.updatedAt]).toEqual(['2026-01-01T00:00:00.000Z', '2026-01-03T00:00:00.000Z']);
  });

  it('applies a new name', () => {
    expect(fold(created, { type: 'memory.renamed', data: { name: 'front-desk' } })).toMatchObject({
      name: 'front-desk',
      description: 'first',
      updatedAt: '2026-01-02T00:00:00.000Z',
    });
  });

  it('loses a deleted strategy and keeps the others', () => {
    const two = { type: 'strategy.added', data: { strategy: strategy({ strategyId: 's2' }) } } as const;
    const { strategies } = fold(created, two, { type: 'strategy.deleted', data: { strategyId: 's1' } });
    expect(strategies.map(({ strategyId }) => strategyId)).toEqual(['s2']);
  });

  it('keeps its strategies in the order they were added, each in its newest version', () => {
    const { strategies } = fold(
      created,
      { type: 'strategy.added', data: { strategy: strategy({ strategyId: 's2', name: 'habits' }) } },
      { type: 'strategy.revised', data: { strategy: strategy({ version: 2, name: 'all facts' }) } },
    );
    expect(strategies.map(({ strategyId, version, name }) => [strategyId, version, name])).toEqual([
      ['s1', 2, 'all facts'],
      ['s2', 1, 'habits'],
    ]);
  });

  it('disables and enables one strategy without affecting others', () => {
    const two = { type: 'strategy.added', data: { strategy: strategy({ strategyId: 's2' }) } } as const;
    const off = { type: 'strategy.disabled', data: { strategyId: 's1' } } as const;
    const on = { type: 'strategy.enabled', data: { strategyId: 's1' } } as const;
    const statuses = (memory: Memory) => memory.strategies.map(({ status }) => status);
    expect(statuses(fold(created, two, off))).toEqual(['DISABLED', 'ACTIVE']);
    expect(statuses(fold(created, two, off, on))).toEqual(['ACTIVE', 'ACTIVE']);
  });

  it('is deleted by its last event', () => {
    expect(fold(created, { type: 'memory.deleted', data: {} }).status).toBe('DELETED');
  });

  it('cannot start with another event', () => {
    expect(() => fold({ type: 'memory.described', data: { description: 'x' } })).toThrow('There is no such memory.');
  });
});
