import type { CallPlace } from '@turnkeeper/domain';
import { failure } from '../shared/failure.js';
import type { Transaction } from '../shared/transaction.port.js';
import type { PageAfter } from '../memories/memory-store.port.js';

/**
 * - `waiting`: not yet folded into its session
 * - `applied`: its content is in the session; it still counts towards the end of the call
 * - `folded`: fully processed
 * - `ignored`: irrelevant to a memory, or too late
 * - `parked`: cannot be folded; `code` is the reason
 */
export type NoticeStatus = 'waiting' | 'applied' | 'folded' | 'ignored' | 'parked';

/** A vendor's callback as received. */
export interface NewNotice {
  readonly connectorId: string;
  readonly tenantId: string;
  /** Deduplication key: the same for every repeat of the message. */
  readonly noticeKey: string;
  /** The call of the connector that it belongs to; null if none. */
  readonly callKey: string | null;
  /** The vendor's name or number of the event. */
  readonly eventType: string;
  /** Raw body; null if it must not be stored. */
  readonly body: Uint8Array | null;
  readonly status: 'waiting' | 'ignored' | 'parked';
  readonly code: string | null;
  /** Target of the call, if the message itself contains it. */
  readonly place: CallPlace | null;
  /** The signed input, if the vendor's signatures are single-use. */
  readonly stamp: string | null;
}

/** A notice of a call that is being folded. */
export interface CallNotice {
  readonly noticeKey: string;
  readonly eventType: string;
  readonly body: Uint8Array | null;
  readonly receivedAt: Date;
  readonly status: 'waiting' | 'applied';
}

/** A connector's call claimed by this worker. */
export interface CallClaim {
  readonly connectorId: string;
  readonly tenantId: string;
  readonly callKey: string;
  /** How far the call is in the session, in the vendor's own count; null for vendors without one. */
  readonly settledRound: number | null;
  /** Consecutive failures before this attempt. */
  readonly failures: number;
  /** Changes with every new notice. */
  readonly version: number;
  /** Fencing token; checked when the result is written. */
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

/** Keyset cursor of a notice listing: the page starts after this notice. */
export type NoticePlace = Pick<NoticeView, 'receivedAt' | 'noticeKey'>;

/** Another worker holds this call; the result must not be written. */
export class CallLost extends failure(
  'connector.call_lost',
  'The lease on this call was lost; the result is dropped.',
) {}

/** The notices of this call are too large to be folded; retrying does not help. */
export class CallTooLarge extends failure(
  'connector.call_too_large',
  'The pending notices of this call are larger than a worker reads at once.',
) {}

export interface NoticeStore {
  /**
   * The notice is durable when this resolves. `duplicate`: already stored. `stamp_used`: the signature was already used
   * by a different message; nothing was stored.
   */
  receive(notice: NewNotice): Promise<'stored' | 'duplicate' | 'stamp_used'>;
  /** Claims the call that is longest overdue; null if none is due. A claim of a lost worker counts as a failure. */
  claimCall(leaseSeconds: number): Promise<CallClaim | null>;
  /** Renews leases; resolves to the claims that are still held. A locked row counts as held. */
  renewCalls(claims: readonly CallClaim[], leaseSeconds: number): Promise<readonly CallClaim[]>;
  /** The call's notices that are waiting or applied, in order of receipt. Rejects with `CallTooLarge`. */
  noticesOf(tx: Transaction, claim: CallClaim): Promise<readonly CallNotice[]>;
  /**
   * Sets the status of notices, and the code that explains it. Deletes the bodies of notices that need no more
   * processing, because their content is in the log.
   */
  mark(
    tx: Transaction,
    claim: CallClaim,
    noticeKeys: readonly string[],
    status: NoticeStatus,
    code?: string | null,
  ): Promise<void>;
  /** Ends a claim. If a notice arrived in the meantime, the call is due immediately. Rejects with `CallLost`. */
  finishCall(
    tx: Transaction,
    claim: CallClaim,
    next: {
      readonly at: Date | null;
      readonly settledRound: number | null;
      /** Null keeps the known value. */
      readonly place: CallPlace | null;
    },
  ): Promise<void>;
  /** Schedules a retry after a failure on our side. */
  retryCall(claim: CallClaim, inMs: number): Promise<void>;
  /** After a permanent failure: parks the call's waiting notices. Without their bodies they cannot be retried. */
  parkCall(claim: CallClaim, code: string, options: { readonly keepBodies: boolean }): Promise<void>;
  /** Newest first. */
  list(
    tenantId: string,
    connectorId: string,
    filter: { readonly status?: NoticeStatus | undefined },
    page: PageAfter<NoticePlace>,
  ): Promise<readonly NoticeView[]>;
  /** Makes a connector's parked notices due again if their bodies are stored; resolves to their number. */
  retryParked(tenantId: string, connectorId: string): Promise<number>;
  /**
   * Deletes processed and parked notices older than `days`, or older than the event retention of their memory.
   * Processes one batch; resolves to false if nothing is left.
   */
  forgetOld(days: number, limit: number): Promise<boolean>;
}
