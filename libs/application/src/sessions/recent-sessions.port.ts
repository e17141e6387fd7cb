import type { SessionView } from './session-directory.port.js';

export interface RecentSession extends SessionView {
  /** When its newest event was recorded (ISO 8601). */
  readonly lastEventAt: string;
  /** Position of its newest event in the log. Unique. */
  readonly lastPosition: number;
  /** Readable messages, as far as they are indexed. */
  readonly messages: number;
}

export interface RecentSessionsRead {
  /** Absent: sessions of all actors. */
  readonly actorId?: string | undefined;
  readonly limit: number;
  /** `lastPosition` of the previous page's last session. */
  readonly after?: number | undefined;
}

/** Sessions by their last activity, from an index that follows the log. */
export interface RecentSessions {
  /**
   * Most recently active first. The first page includes everything appended before the call. A session that becomes
   * active moves to the front, so it does not occur on later pages.
   */
  list(tenantId: string, memoryId: string, read: RecentSessionsRead): Promise<readonly RecentSession[]>;
  /** Number of positions of the log that are not indexed yet. */
  behind(): Promise<number>;
  /** Indexes at most `most` further positions. Resolves to the number that is left; 0 while another process indexes. */
  catchUp(most: number): Promise<number>;
}
