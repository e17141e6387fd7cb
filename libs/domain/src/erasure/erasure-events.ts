/**
 * Something was erased: an event, a session, or everything of an actor. It holds no name and no content: that the
 * places were taken is in the tombstones.
 */
export interface ContentErased {
  readonly target: 'event' | 'session' | 'actor';
  /** Internal keys of the sessions that are closed for good; empty for a single event. */
  readonly sessionKeys: readonly number[];
  /** Log position of the event; null for sessions and actors. */
  readonly position: number | null;
  /** Records that rested on it alone and went with it. */
  readonly withdrawnRecords: number;
  /** Agents whose runs were erased; those who received their histories know them by these ids. */
  readonly agentIds?: readonly string[];
  /** Webhook endpoints that were sent a history of one of the agents. */
  readonly receivers?: readonly string[];
}
