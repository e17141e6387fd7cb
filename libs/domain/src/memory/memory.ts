import { MemoryNotFound } from '../errors.js';
import type { LogEvent } from '../log/log-event.js';
import type { Strategy } from '../strategy/strategy.js';

/** Current state of a strategy. */
export interface MemoryStrategy extends Strategy {
  readonly status: 'ACTIVE' | 'DISABLED';
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** State of one memory, folded from its events. */
export interface Memory {
  readonly memoryId: string;
  readonly tenantId: string;
  readonly name: string;
  readonly description: string;
  /** Days. */
  readonly eventExpiryDuration: number;
  readonly status: 'ACTIVE' | 'DELETED';
  readonly createdAt: string;
  readonly updatedAt: string;
  /** In the order in which they were added. */
  readonly strategies: readonly MemoryStrategy[];
}

/** Events that change a memory; they have neither actor nor session. */
export const MEMORY_EVENT_TYPES = [
  'memory.created',
  'memory.described',
  'memory.renamed',
  'memory.expiry_changed',
  'memory.deleted',
  'strategy.added',
  'strategy.revised',
  'strategy.disabled',
  'strategy.enabled',
  'strategy.deleted',
] as const;
export type MemoryEvent = LogEvent<(typeof MEMORY_EVENT_TYPES)[number]>;

/** Folds one event into a memory's state. Events must be passed in log order; the first is `memory.created`. */
export const evolveMemory = (
  memory: Memory | null,
  event: Pick<MemoryEvent, 'tenantId' | 'memoryId' | 'recordedAt'> & EventBody,
): Memory => {
  const { recordedAt } = event;
  if (event.type === 'memory.created') {
    const { strategies, ...described } = event.data;
    return {
      memoryId: event.memoryId,
      tenantId: event.tenantId,
      ...described,
      status: 'ACTIVE',
      createdAt: recordedAt,
      updatedAt: recordedAt,
      strategies: strategies.map((strategy) => newStrategy(strategy, recordedAt)),
    };
  }
  if (memory === null) throw new MemoryNotFound();
  const changed = { ...memory, updatedAt: recordedAt };
  switch (event.type) {
    case 'memory.described':
      return { ...changed, description: event.data.description };
    case 'memory.renamed':
      return { ...changed, name: event.data.name };
    case 'memory.expiry_changed':
      return { ...changed, eventExpiryDuration: event.data.eventExpiryDuration };
    case 'memory.deleted':
      return { ...changed, status: 'DELETED' };
    case 'strategy.added':
      return { ...changed, strategies: [...memory.strategies, newStrategy(event.data.strategy, recordedAt)] };
    case 'strategy.revised': {
      const { strategy } = event.data;
      return withStrategy(changed, strategy.strategyId, (old) => ({ ...old, ...strategy, updatedAt: recordedAt }));
    }
    case 'strategy.deleted': {
      const { strategyId } = event.data;
      return { ...changed, strategies: memory.strategies.filter((strategy) => strategy.strategyId !== strategyId) };
    }
    case 'strategy.disabled':
    case 'strategy.enabled': {
      const status = event.type === 'strategy.enabled' ? 'ACTIVE' : 'DISABLED';
      return withStrategy(changed, event.data.strategyId, (old) => ({ ...old, status, updatedAt: recordedAt }));
    }
  }
};

/** Only the fields that the fold reads, so that a use case can fold an event before appending it. */
type EventBody = { [T in MemoryEvent['type']]: Pick<LogEvent<T>, 'type' | 'data'> }[MemoryEvent['type']];

const newStrategy = (strategy: Strategy, recordedAt: string): MemoryStrategy => ({
  ...strategy,
  status: 'ACTIVE',
  createdAt: recordedAt,
  updatedAt: recordedAt,
});

const withStrategy = (
  memory: Memory,
  strategyId: string,
  change: (strategy: MemoryStrategy) => MemoryStrategy,
): Memory => ({
  ...memory,
  strategies: memory.strategies.map((strategy) => (strategy.strategyId === strategyId ? change(strategy) : strategy)),
});
