import type { NamespaceVariable } from '../namespace.js';

/** What a type of strategy does. Everything that differs between types is here; no other code compares type names. */
export interface StrategyKind {
  /** Built-in instructions to a model: what to look for. */
  readonly prompt: string;
  /** The client's own prompt follows the built-in one, and is required. */
  readonly takesPrompt: boolean;
  /**
   * The text that a session's windows carry forward:
   *
   * - `none`: windows are read on their own
   * - `running`: a rolling summary in addition to the records, with settings (`rollingMemory`)
   * - `episode`: the session's one record itself. Each window rewrites it; the new one supersedes the old one.
   */
  readonly summary: 'none' | 'running' | 'episode';
  /**
   * - `by_attribute`: records with the same single-valued attribute of the same subject fill one slot (`slotOf`)
   * - `per_session`: all records of a session fill one slot, so that only the newest is current
   */
  readonly slots: 'by_attribute' | 'per_session';
  /** Records are preferences only, and show how strong they are. */
  readonly strength: boolean;
  /** Variables that a namespace template may name. */
  readonly variables: readonly NamespaceVariable[];
}
