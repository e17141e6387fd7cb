import { firstOpenRound, settledZegoMessages, ZEGO_SETTLE_MS } from './zego-callbacks.js';
import type { ReceivedZegoCallback, ZegoMessage } from './zego-callbacks.js';

/** A call of which nothing was heard for so long has ended, whether or not we were told. */
export const ZEGO_SILENT_END_MS = 3_600_000;

/** What is known of one agent instance's call and not settled yet. */
export interface ZegoCall {
  readonly callbacks: readonly ReceivedZegoCallback[];
  /** When the newest callback of any kind came; null before the first. */
  readonly lastHeardAt: Date | null;
  /** When we were told that the instance is gone, and ZEGOCLOUD's code for why; null while we were not. */
  readonly deleted: { readonly at: Date; readonly code: number } | null;
  /** Rounds up to this one are in the session; null for none. */
  readonly settledRound: number | null;
}

export interface ZegoCallPlan {
  readonly messages: readonly ZegoMessage[];
  /** Rounds up to this one are in the session once the messages are; null for none. */
  readonly settledRound: number | null;
  /** Rounds before this one need their callbacks no longer. */
  readonly openFrom: number;
  /** Set when the call is over and all of it is settled. */
  readonly end: { readonly isFailure: boolean; readonly reason: string } | null;
  readonly nextAt: Date | null;
}

/** ZEGOCLOUD's `Code` of `AgentInstanceDeleted`. */
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

/** What follows from a call's callbacks at this moment. Callbacks of rounds that are settled already come too late. */
export const planZegoCall = (call: ZegoCall, now: Date): ZegoCallPlan => {
  const { deleted, lastHeardAt, settledRound } = call;
  const silentEnd = lastHeardAt === null ? null : later(lastHeardAt, ZEGO_SILENT_END_MS);
  const endedAt = deleted?.at ?? (silentEnd !== null && silentEnd <= now ? silentEnd : null);
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
