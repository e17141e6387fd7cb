import { CUSTOM } from './custom.js';
import { EPISODIC } from './episodic.js';
import { SEMANTIC } from './semantic.js';
import type { StrategyKind } from './strategy-kind.js';
import { SUMMARY } from './summary.js';
import { USER_PREFERENCE } from './user-preference.js';

export type { StrategyKind } from './strategy-kind.js';

/** All types of strategies, in the order in which the API lists them. */
export const STRATEGIES = { SEMANTIC, USER_PREFERENCE, CUSTOM, SUMMARY, EPISODIC } as const satisfies Readonly<
  Record<string, StrategyKind>
>;

export type StrategyType = keyof typeof STRATEGIES;
export const STRATEGY_TYPES = Object.keys(STRATEGIES) as unknown as readonly [StrategyType, ...StrategyType[]];

/** The table's entry, not narrowed to its constants. */
export const strategyKind = (type: StrategyType): StrategyKind => STRATEGIES[type];

/** The full instructions of a strategy to a model. @param customPrompt the client's, of a type that takes one */
export const strategyPrompt = (type: StrategyType, customPrompt: string | null): string => {
  const { prompt, takesPrompt } = strategyKind(type);
  return takesPrompt ? `${prompt}\n<operator>\n${customPrompt ?? SEMANTIC.prompt}\n</operator>` : prompt;
};

/** Whether a strategy of this type keeps a rolling memory of each session. */
export const keepsRollingMemory = ({ type }: { readonly type: StrategyType }): boolean =>
  strategyKind(type).summary === 'running';
