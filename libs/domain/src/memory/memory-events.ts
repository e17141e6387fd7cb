import type { Strategy } from '../strategy/strategy.js';

export interface MemoryCreated {
  readonly name: string;
  readonly description: string;
  /** Days that an event stays readable after it is recorded; 1–365. */
  readonly eventExpiryDuration: number;
  readonly strategies: readonly Strategy[];
}

export interface MemoryDescribed {
  readonly description: string;
}

export interface MemoryRenamed {
  readonly name: string;
}

/** Changes the event expiry from this event on. */
export interface MemoryExpiryChanged {
  /** Days; 1–365. */
  readonly eventExpiryDuration: number;
  /** Also applied to events that were readable at this time, counted from when each was recorded. */
  readonly appliedToExisting: boolean;
}

/** The memory accepts no more writes, and its data is purged. Has no payload: the scope names the memory. */
export type MemoryDeleted = Readonly<Record<string, never>>;

export interface StrategyAdded {
  readonly strategy: Strategy;
}

/** The strategy's new definition, as its next version. */
export interface StrategyRevised {
  readonly strategy: Strategy;
}

export interface StrategyDisabled {
  readonly strategyId: string;
}

export interface StrategyEnabled {
  readonly strategyId: string;
}

/** The strategy reads nothing more and cannot be enabled again. Its records stay unless they are deleted separately. */
export interface StrategyDeleted {
  readonly strategyId: string;
}
