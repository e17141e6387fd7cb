import type { OutputSchema } from './output-schema.js';
import type { RollingSettings } from '../rolling-memory/rolling-state.js';
import type { StrategyType } from './types/index.js';

export {
  keepsRollingMemory,
  STRATEGIES,
  STRATEGY_TYPES,
  strategyKind,
  strategyPrompt,
  type StrategyKind,
  type StrategyType,
} from './types/index.js';

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
  /** Sessions are read without a request. */
  readonly automatic: boolean;
  /** The client's prompt; null if its type takes none. */
  readonly customPrompt: string | null;
  /** What each record gives as structured data; null or absent: nothing, and for a type that takes no prompt. */
  readonly outputSchema?: OutputSchema | null;
  /**
   * Rolling-memory settings of its sessions; null for types without a rolling memory. Absent, or null for a type with
   * one: `ROLLING_DEFAULTS`.
   */
  readonly rolling?: RollingSettings | null;
}
