import type { Strategy } from '../strategy/strategy.js';

export interface MemoryCreated {
  readonly name: string;
  readonly description: string;
  /** Days an event stays readable, counted from its arrival; 1–365. */
  readonly eventExpiryDuration: number;
  readonly strategies: readonly Strategy[];
}

export interface MemoryDescribed {
  readonly description: string;
}

/** How long events stay readable from here on. */
export interface MemoryExpiryChanged {
  /** Days; 1–365. */
  readonly eventExpiryDuration: number;
  /** Events that were readable at this moment got the new duration too, counted from their arrival. */
  readonly appliedToExisting: boolean;
}

/** The memory takes nothing more, and what it held is purged. Carries nothing: its id says which. */
export type MemoryDeleted = Readonly<Record<string, never>>;

export interface StrategyAdded {
  readonly strategy: Strategy;
}

/** The strategy as it is from here on, under its next version. */
export interface StrategyRevised {
  readonly strategy: Strategy;
}

export interface StrategyDisabled {
  readonly strategyId: string;
}

export interface StrategyEnabled {
  readonly strategyId: string;
}
