import { NAMESPACE_VARIABLES } from '../namespace.js';
import type { StrategyKind } from './strategy-kind.js';

/** What continues a conversation, and a rolling summary of each session. */
export const SUMMARY: StrategyKind = {
  prompt: `# Task
Write down what a reader needs to take up this conversation: the topic, what was decided, what is still open (an offer under discussion, too), and what changed. At most ten facts, and none that the summary so far has already; names may come from it.

Write the key "summary" as well: a few plain sentences that bring the summary so far up to date with this conversation. Keep its names, numbers and dates; drop what is settled or withdrawn; put what changed in place of what it changes; and state nothing that neither of the two says. Without a summary so far, summarise this conversation.`,
  takesPrompt: false,
  summary: 'running',
  slots: 'by_attribute',
  strength: false,
  variables: NAMESPACE_VARIABLES,
};
