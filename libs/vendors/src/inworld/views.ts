import type { MemoryState } from '@turnkeeper/application';

/** A rolling memory in the fields of Inworld's `memory.state`. */
export const rollingStateOf = (state: MemoryState) => ({
  ...state.extra,
  version: state.version,
  facts: [...state.facts],
  summary: state.summary,
  context_text: state.contextText,
  turns_since_gen: state.turnsSinceGen,
  total_turns: state.totalTurns,
  items_trimmed: state.itemsTrimmed,
});

/** The event with which Inworld tells its clients of a state, as far as memory is concerned. */
export const sessionUpdated = (
  session: { readonly actorId: string; readonly sessionId: string },
  state: MemoryState,
) => ({
  type: 'session.updated' as const,
  session: {
    id: session.sessionId,
    providerData: { user_id: session.actorId, memory: { state: rollingStateOf(state) } },
  },
});
