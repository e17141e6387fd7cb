import type { SessionScope } from '../log/event-store.port.js';

/** Changes when a session does. Contains no content. */
export interface SessionPulse {
  /** The newest sequence of an event that exists; 0 for an unknown or erased session. */
  readonly sequence: number;
  /** Changes whenever the session's rolling memory may have changed. Only equality means something. */
  readonly memory: string;
}

export interface SessionPulses {
  /** The pulses of sessions, of several tenants in one query, in the order of the scopes. */
  of(scopes: readonly SessionScope[]): Promise<readonly SessionPulse[]>;
}
