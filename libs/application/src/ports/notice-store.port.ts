import type { CallPlace } from '@turnkeeper/domain';
import type { Transaction } from './transaction.port.js';

/**
 * - `waiting`: to be folded into its session
 * - `applied`: what it says is in the session; it still counts for the call's end
 * - `folded`: nothing more is needed of it
 * - `ignored`: of no meaning to a memory, or too late
 * - `parked`: cannot be folded; `code` says why
 */
export type NoticeStatus = 'waiting' | 'applied' | 'folded' | 'ignored' | 'parked';

/** A vendor's message as it came in. */
export interface NewNotice {
  readonly connectorId: string;
  readonly tenantId: string;
  /** The same for every repeat of the message. */
  readonly noticeKey: string;
  /** Which of the connector's calls it is about; null where it is about none. */
  readonly callKey: string | null;
  /** The vendor's own name or number of the event. */
  readonly eventType: string;
  /** The raw bytes; null for what must not be kept. */
  readonly body: Uint8Array | null;
  readonly status: 'waiting' | 'ignored' | 'parked';
  readonly code: string | null;
  /** Whose call it is, where the message says so by itself. */
  readonly place: CallPlace | null;
  /** What was signed, where each signature may be used for one message only. */
  readonly stamp: string | null;
}

/** A notice of a call that is to be folded. */
export interface CallNotice {
  readonly noticeKey: string;
  readonly eventType: string;
  readonly body: Uint8Array | null;
  readonly receivedAt: Date;
  readonly status: 'waiting' | 'applied';
}

/** One call of a connector that this worker may fold now. */
export interface CallClaim {
  readonly connectorId: string;
  readonly tenantId: string;
  readonly callKey: string;
  /** ZEGOCLOUD: rounds up to this one are in the session. */
  readonly settledRound: number | null;
  /** Failures in a row before this try. */
  readonly failures: number;
  /** Changes with every notice. */
  readonly version: number;
  /** Must still hold when the result is written. */
  readonly fence: number;
}

export interface NoticeView {
  readonly noticeKey: string;
  readonly callKey: string | null;
  readonly eventType: string;
  readonly status: NoticeStatus;
  readonly code: string | null;
  readonly receivedAt: string;
}

/** A place in a listing of notices: behind this one. */
export interface NoticePlace {
  readonly receivedAt: string;
  readonly noticeKey: string;
}

/** Another worker holds this call now: the result must not be written. */
export class CallLost extends Error {
  readonly code = 'connector.call_lost';
  constructor() {
    super('The lease on this call was lost; the result is dropped.');
    this.name = 'CallLost';
  }
}

export interface NoticeStore {
  /**
   * Durable when it resolves. `duplicate`: it is there already. `stamp_used`: its signature came with another message
   * before, and nothing was stored.
   */
  receive(notice: NewNotice): Promise<'stored' | 'duplicate' | 'stamp_used'>;
  /** Takes the call that has been due for longest; null when none is. A claim whose worker was lost counts as a failure. */
  claimCall(leaseSeconds: number): Promise<CallClaim | null>;
  /** Renews leases; resolves to the claims that still hold. A row that is locked counts as held. */
  renewCalls(claims: readonly CallClaim[], leaseSeconds: number): Promise<readonly CallClaim[]>;
  /** Those of a call that wait or were applied, in the order they came. */
  noticesOf(tx: Transaction, claim: CallClaim): Promise<readonly CallNotice[]>;
  /** Marks notices. Bodies of those that are done with are dropped: what they said is in the log. */
  mark(tx: Transaction, claim: CallClaim, noticeKeys: readonly string[], status: NoticeStatus): Promise<void>;
  /** Ends a claim. A notice that came meanwhile makes the call due at once. Rejects with `CallLost`. */
  finishCall(
    tx: Transaction,
    claim: CallClaim,
    next: {
      readonly at: Date | null;
      readonly settledRound: number | null;
      /** Null leaves what is known. */
      readonly place: CallPlace | null;
    },
  ): Promise<void>;
  /** After a failure of ours: the call is tried again. */
  retryCall(claim: CallClaim, inMs: number): Promise<void>;
  /** After a failure that will come again: what waits of the call is parked; without bodies, for good. */
  parkCall(claim: CallClaim, code: string, options: { readonly keepBodies: boolean }): Promise<void>;
  /** Newest first. */
  list(
    tenantId: string,
    connectorId: string,
    filter: { readonly status?: NoticeStatus | undefined },
    page: { readonly limit: number; readonly after?: NoticePlace | undefined },
  ): Promise<readonly NoticeView[]>;
  /** Has a connector's parked notices that still have their bodies folded again; resolves to how many. */
  retryParked(tenantId: string, connectorId: string): Promise<number>;
  /**
   * Deletes what is done with or parked and came longer ago than so many days, or than its memory keeps events; a batch
   * at a time, false when nothing is left.
   */
  forgetOld(days: number, limit: number): Promise<boolean>;
}
