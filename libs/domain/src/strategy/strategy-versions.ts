import type { MemoryEvent } from '../memory/memory.js';
import type { Strategy } from './strategy.js';

/** A given version of a strategy, from the events of its memory. Returns null if the log does not contain it. */
export const strategyVersion = (
  events: readonly Pick<MemoryEvent, 'type' | 'data'>[],
  strategyId: string,
  version: number,
): Strategy | null => {
  const strategies = (events as readonly MemoryEvent[]).flatMap((event): readonly Strategy[] => {
    switch (event.type) {
      case 'memory.created':
        return event.data.strategies;
      case 'strategy.added':
      case 'strategy.revised':
        return [event.data.strategy];
      default:
        return [];
    }
  });
  return strategies.find((strategy) => strategy.strategyId === strategyId && strategy.version === version) ?? null;
};
