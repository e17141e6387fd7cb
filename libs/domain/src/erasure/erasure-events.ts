/**
 * An event, a session or all data of an actor was erased. Contains no names and no content; the tombstones record that
 * the positions were used.
 */
export interface ContentErased {
  readonly target: 'event' | 'session' | 'actor';
  /** Internal keys of the sessions that are closed permanently; empty for a single event. */
  readonly sessionKeys: readonly number[];
  /** Log position of the event; null for sessions and actors. */
  readonly position: number | null;
  /** Number of records withdrawn because they had no other source. */
  readonly withdrawnRecords: number;
  /** Agents whose runs were erased. Recipients of their histories know them by these ids. */
  readonly agentIds?: readonly string[];
  /** Webhook endpoints that received a history of one of these agents. */
  readonly receivers?: readonly string[];
}
