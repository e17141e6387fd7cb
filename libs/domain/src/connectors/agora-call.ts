import type { AgentStatus } from '../agent/agent.js';

/**
 * How long the end of a call waits for the other of its two notifications (102 left, 103 history), which may come in
 * either order. Agora repeats a notification at once and then "at growing intervals", three times in all.
 */
export const AGORA_END_GRACE_MS = 60_000;

/** One notification about an agent, as far as its order matters. */
export interface AgoraCallNotice {
  readonly key: string;
  readonly kind: 'joined' | 'left' | 'history';
  readonly receivedAt: Date;
  /** Of a history: its messages are in the session already. */
  readonly isApplied: boolean;
  /** On `left`: Agora's `status` and `message`. */
  readonly status?: string | undefined;
  readonly message?: string | undefined;
}

export interface AgoraCallPlan {
  /** Histories whose messages the session may lack, in the order they came. */
  readonly apply: readonly string[];
  /** Set when the agent's run is over. */
  readonly end: { readonly isFailure: boolean; readonly reason: string } | null;
  /** Notifications of which nothing more is needed. */
  readonly settled: readonly string[];
  /** When to look again if nothing comes; null for never. */
  readonly nextAt: Date | null;
}

/** Agora's words on 102 in ours; a word of its own stays. */
const reasonOf = (message: string | undefined): string => {
  if (message === undefined || message === '' || message === 'OK') return 'requested';
  return message === 'Idle for too long' ? 'idle' : message;
};

/**
 * What follows from the notifications about one agent that are not settled yet, whatever their order. The agent's end
 * waits until both 102 and 103 are there or the grace is over, so that what 103 brings belongs to its run.
 *
 * @param agentStatus null where the agent has not been started here
 */
export const planAgoraCall = (
  notices: readonly AgoraCallNotice[],
  { agentStatus, now }: { readonly agentStatus: AgentStatus | null; readonly now: Date },
): AgoraCallPlan => {
  const keys = (some: readonly AgoraCallNotice[]): string[] => some.map(({ key }) => key);
  const histories = notices.filter(({ kind }) => kind === 'history');
  const left = notices.findLast(({ kind }) => kind === 'left');
  const apply = keys(histories.filter(({ isApplied }) => !isApplied));
  if (agentStatus !== null && agentStatus !== 'RUNNING') {
    return { apply, end: null, settled: keys(notices), nextAt: null };
  }
  const ending = notices.filter(({ kind }) => kind !== 'joined');
  if (ending.length === 0) return { apply, end: null, settled: keys(notices), nextAt: null };
  const waitsUntil = Math.min(...ending.map(({ receivedAt }) => receivedAt.getTime())) + AGORA_END_GRACE_MS;
  const isWhole = left !== undefined && histories.length > 0;
  if (!isWhole && now.getTime() < waitsUntil) {
    return {
      apply,
      end: null,
      settled: keys(notices.filter(({ kind }) => kind === 'joined')),
      nextAt: new Date(waitsUntil),
    };
  }
  return {
    apply,
    end: { isFailure: left?.status === 'FAILED', reason: reasonOf(left?.message) },
    settled: keys(notices),
    nextAt: null,
  };
};
