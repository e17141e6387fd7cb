import type { RollingSettings } from '../rolling-memory/rolling-state.js';

export const STRATEGY_TYPES = ['SEMANTIC', 'USER_PREFERENCE', 'CUSTOM', 'SUMMARY'] as const;
export type StrategyType = (typeof STRATEGY_TYPES)[number];

/** How records are made from events. A change makes a new version; records name the version that made them. */
export interface Strategy {
  readonly strategyId: string;
  readonly name: string;
  readonly type: StrategyType;
  /** Counted from 1. */
  readonly version: number;
  readonly namespaceTemplate: string;
  /** Run by itself (every few turns, after a quiet time, at agent stop), or on demand only. */
  readonly automatic: boolean;
  /** Leads the extraction; used by CUSTOM only. */
  readonly customPrompt: string | null;
  /** How a session's rolling memory is kept; used by SUMMARY only. Absent or null: `ROLLING_DEFAULTS`. */
  readonly rolling?: RollingSettings | null;
}
