import type { RollingSettings } from '../rolling-memory/rolling-state.js';

export const STRATEGY_TYPES = ['SEMANTIC', 'USER_PREFERENCE', 'CUSTOM', 'SUMMARY'] as const;
export type StrategyType = (typeof STRATEGY_TYPES)[number];

/**
 * How records are made from events. Each change creates a new version; records reference the version that made them.
 */
export interface Strategy {
  readonly strategyId: string;
  readonly name: string;
  readonly type: StrategyType;
  /** From 1. */
  readonly version: number;
  readonly namespaceTemplate: string;
  /** Instructions that replace the built-in topic of an extraction; CUSTOM only. */
  readonly automatic: boolean;
  /** Replaces the default prompt; CUSTOM only. */
  readonly customPrompt: string | null;
  /** Rolling-memory settings of its sessions; SUMMARY only. Absent or null: `ROLLING_DEFAULTS`. */
  readonly rolling?: RollingSettings | null;
}
