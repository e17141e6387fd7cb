import type { EventType } from './log-event.js';

/** How the log handles events of one type. */
export interface EventTraits {
  /**
   * Takes the next sequence of its session. Derived events carry actor and session only for scope and erasure: if a
   * background job took a sequence, a client's expected sequence would be stale although no message was added.
   */
  readonly sequenced: boolean;
  /** Becomes unreadable after the memory's event expiry. Control events do not expire. */
  readonly expires: boolean;
}

export const EVENT_TRAITS: { readonly [T in EventType]: EventTraits } = {
  'memory.created': { sequenced: false, expires: false },
  'memory.described': { sequenced: false, expires: false },
  'memory.renamed': { sequenced: false, expires: false },
  'memory.expiry_changed': { sequenced: false, expires: false },
  'memory.deleted': { sequenced: false, expires: false },
  'strategy.added': { sequenced: false, expires: false },
  'strategy.revised': { sequenced: false, expires: false },
  'strategy.disabled': { sequenced: false, expires: false },
  'strategy.enabled': { sequenced: false, expires: false },
  'strategy.deleted': { sequenced: false, expires: false },
  'message.appended': { sequenced: true, expires: true },
  // It quotes the message that it cuts, so it expires with it.
  'message.interrupted': { sequenced: true, expires: true },
  'binary.appended': { sequenced: true, expires: true },
  'history.reset': { sequenced: true, expires: false },
  'agent.started': { sequenced: true, expires: false },
  'agent.updated': { sequenced: true, expires: false },
  'agent.stopped': { sequenced: true, expires: false },
  'agent.failed': { sequenced: true, expires: false },
  // It contains text to be spoken, so it expires like a message.
  'agent.instructed': { sequenced: true, expires: true },
  'extraction.answered': { sequenced: false, expires: false },
  'records.extracted': { sequenced: false, expires: false },
  'records.inserted': { sequenced: false, expires: false },
  'records.withdrawn': { sequenced: false, expires: false },
  'records.carried_over': { sequenced: false, expires: false },
  'record.corrected': { sequenced: false, expires: false },
  'supersession.withdrawn': { sequenced: false, expires: false },
  // Conversation content outside a session; expires like a message.
  'content.submitted': { sequenced: true, expires: true },
  'content.erased': { sequenced: false, expires: false },
  'memory_state.captured': { sequenced: false, expires: false },
};
