import type { MemoryEvent } from '../memory/memory.js';
import type { Strategy } from './strategy.js';

/** A strategy as it was in one of its versions, by what has happened to its memory; null when the log does not tell. */
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
