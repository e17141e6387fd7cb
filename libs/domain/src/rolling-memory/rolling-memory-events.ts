import type { Json } from '../session/session-events.js';

/** A state that a realtime client received from its platform and submitted. */
export interface MemoryStateCaptured {
  /** Counted per session. */
  readonly version: number;
  readonly facts: readonly string[];
  readonly summary: string;
  readonly contextText: string;
  readonly turnsSinceGen: number;
  readonly totalTurns: number;
  readonly itemsTrimmed: number;
  /** The client's `max_facts`; a list of this length is full. */
  readonly maxFacts: number;
  /** Fields of the platform's state that are unknown here. */
  readonly extra?: { readonly [key: string]: Json };
}
