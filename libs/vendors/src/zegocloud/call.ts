import {
  firstOpenRound,
  settledZegoMessages,
  ZEGO_SETTLE_MS,
  type ReceivedZegoCallback,
  type ZegoMessage,
} from './rounds.js';

/** A call without callbacks for this long is treated as ended, even without an end notification. */
export const ZEGO_SILENT_END_MS = 3_600_000;

/** The unsettled state of one agent instance's call. */
export interface ZegoCall {
  readonly callbacks: readonly ReceivedZegoCallback[];
  /** When the newest callback of any kind arrived; null before the first. */
  readonly lastHeardAt: Date | null;
  /** When the deletion of the instance was reported, and ZEGOCLOUD's code for it; null if it was not. */
  readonly deleted: { readonly at: Date; readonly code: number } | null;
  /** Highest round whose messages are in the session; null if none. */
  readonly settledRound: number | null;
  /** Whether the call's agent has ended, so that what arrives now is late. */
  readonly isClosed: boolean;
}

export interface ZegoCallPlan {
  readonly messages: readonly ZegoMessage[];
  /** Highest round in the session once the messages are appended; null if none. */
  readonly settledRound: number | null;
  /** Callbacks of rounds before this one can be deleted. */
  readonly openFrom: number;
  /** Set when the call has ended and every round is settled. */
  readonly end: { readonly isFailure: boolean; readonly reason: string } | null;
  readonly nextAt: Date | null;
}

/** ZEGOCLOUD's `Code` in `AgentInstanceDeleted`. */
const ENDS: Readonly<Record<number, { readonly isFailure: boolean; readonly reason: string }>> = {
  0: { isFailure: false, reason: 'requested' },
  1201: { isFailure: true, reason: 'rtc_error' },
  1202: { isFailure: false, reason: 'idle' },
  1203: { isFailure: false, reason: 'kicked' },
  1204: { isFailure: true, reason: 'join_failed' },
  1205: { isFailure: true, reason: 'disconnected' },
  1206: { isFailure: true, reason: 'stream_failed' },
};

const later = (date: Date, ms: number): Date => new Date(date.getTime() + ms);

/** Plans the next steps from a call's callbacks at time `now`. Callbacks of settled rounds are ignored. */
export const planZegoCall = (call: ZegoCall, now: Date): ZegoCallPlan => {
  const { deleted, lastHeardAt, settledRound, isClosed } = call;
  const silentEnd = lastHeardAt === null ? null : later(lastHeardAt, ZEGO_SILENT_END_MS);
  // A late round of a closed call has no end event: it is over once nothing more of it arrives.
  const closedAt = isClosed ? lastHeardAt : null;
  const endedAt = deleted?.at ?? closedAt ?? (silentEnd !== null && silentEnd <= now ? silentEnd : null);
  const fresh = call.callbacks.filter(({ round }) => settledRound === null || round > settledRound);
  const open = firstOpenRound(fresh, { now, endedAt });
  const done = fresh.filter(({ round }) => round < open.round);
  const isOver = endedAt !== null && later(endedAt, ZEGO_SETTLE_MS) <= now;
  const end = deleted === null ? { isFailure: false, reason: 'silent' } : ENDS[deleted.code];
  return {
    messages: settledZegoMessages(fresh, { now, endedAt }),
    settledRound: done.reduce((newest, { round }) => Math.max(newest ?? round, round), settledRound),
    openFrom: open.round,
    end: isOver ? (end ?? { isFailure: false, reason: `code ${deleted?.code}` }) : null,
    nextAt: isOver ? null : (open.settlesAt ?? (endedAt === null ? silentEnd : later(endedAt, ZEGO_SETTLE_MS))),
  };
};
