import type { EventType } from './log-event.js';

/** How the log treats events of one type. */
export interface EventTraits {
  /**
   * Takes the next number of its session. Derived facts carry actor and session for scope and erasure only: a number
   * taken by a background job would make a client's expected sequence stale without anything new having been said.
   */
  readonly sequenced: boolean;
  /** Stops being readable after its memory's event expiry. Control facts stay. */
  readonly expires: boolean;
}

export const EVENT_TRAITS: { readonly [T in EventType]: EventTraits } = {
  'memory.created': { sequenced: false, expires: false },
  'memory.described': { sequenced: false, expires: false },
  'memory.expiry_changed': { sequenced: false, expires: false },
  'memory.deleted': { sequenced: false, expires: false },
  'strategy.added': { sequenced: false, expires: false },
  'strategy.revised': { sequenced: false, expires: false },
  'strategy.disabled': { sequenced: false, expires: false },
  'strategy.enabled': { sequenced: false, expires: false },
  'message.appended': { sequenced: true, expires: true },
  // It quotes the message that it cuts, so it goes when that goes.
  'message.interrupted': { sequenced: true, expires: true },
  'binary.appended': { sequenced: true, expires: true },
  'history.reset': { sequenced: true, expires: false },
  'agent.started': { sequenced: true, expires: false },
  'agent.updated': { sequenced: true, expires: false },
  'agent.stopped': { sequenced: true, expires: false },
  'agent.failed': { sequenced: true, expires: false },
  'extraction.answered': { sequenced: false, expires: false },
  'records.extracted': { sequenced: false, expires: false },
  'records.inserted': { sequenced: false, expires: false },
  'records.withdrawn': { sequenced: false, expires: false },
  'records.carried_over': { sequenced: false, expires: false },
  'record.corrected': { sequenced: false, expires: false },
  'supersession.withdrawn': { sequenced: false, expires: false },
  // Spoken content outside a session: it expires like a message.
  'content.submitted': { sequenced: true, expires: true },
  'content.erased': { sequenced: false, expires: false },
  'memory_state.captured': { sequenced: false, expires: false },
};
