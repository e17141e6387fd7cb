import { NAMESPACE_VARIABLES } from '../namespace.js';
import type { StrategyKind } from './strategy-kind.js';

/** What happened in a session: one dated record with participants, what was asked and decided, and the outcome. */
export const EPISODIC: StrategyKind = {
  prompt: `# Task
Write exactly one fact, in the category "event": what happened in this session, in two to five plain sentences of at most 120 words in all. Name what was asked for, what was decided or done (with numbers, dates and amounts), how it ended (solved, refused, or open), and what is still to be done and by whom. The summary so far, if there is one, is the record of this session before this part of it; the context lines are the turns it rests on. Bring it up to date: keep what still matters, and state nothing that neither it nor the conversation says. Here, a fact may rest on context lines as well; cite every message that a sentence follows from. A sentence with the date and the speakers is put before it; do not write that, but call people by their names. Give no relations. If there is only small talk, give no fact.`,
  takesPrompt: false,
  summary: 'episode',
  slots: 'per_session',
  strength: false,
  variables: NAMESPACE_VARIABLES,
};
