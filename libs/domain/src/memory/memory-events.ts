import type { Strategy } from '../strategy/strategy.js';

export interface MemoryCreated {
  readonly name: string;
  readonly description: string;
  /** Days an event stays readable, counted from its arrival; 1–365. */
  readonly eventExpiryDuration: number;
  readonly strategies: readonly Strategy[];
}
