import type { MemoryState } from '@turnkeeper/application';

/** A rolling memory in the fields of Inworld's `memory.state`. */
export const memoryStateResponse = (state: MemoryState) => ({
  ...state.extra,
  version: state.version,
  facts: [...state.facts],
  summary: state.summary,
  context_text: state.contextText,
  turns_since_gen: state.turnsSinceGen,
  total_turns: state.totalTurns,
  items_trimmed: state.itemsTrimmed,
});
