import type { AgentStatus } from '@turnkeeper/domain';

/**
 * How long the end of a call waits for the second of its two notifications (102 left, 103 history), which arrive in
 * either order. Agora retries a notification immediately and then "at growing intervals", three times in total.
 */
export const AGORA_END_GRACE_MS = 60_000;

/** The parts of an agent notification that matter for ordering. */
export interface AgoraCallNotice {
  readonly key: string;
  readonly kind: 'joined' | 'left' | 'history';
  readonly receivedAt: Date;
  /** For a history: its messages have already been appended to the session. */
  readonly isApplied: boolean;
  /** For `left`: Agora's `status` and `message`. */
  readonly status?: string | undefined;
  readonly message?: string | undefined;
}

export interface AgoraCallPlan {
  /** Histories whose messages may be missing from the session, in order of arrival. */
  readonly apply: readonly string[];
  /** Set when the agent's run has ended. */
  readonly end: { readonly isFailure: boolean; readonly reason: string } | null;
  /** Notifications that need no further processing. */
  readonly settled: readonly string[];
  /** When to check again if nothing arrives; null for never. */
  readonly nextAt: Date | null;
}

/** Maps Agora's 102 messages to our stop reasons; unknown messages are kept as they are. */
const reasonOf = (message: string | undefined): string => {
  if (message === undefined || message === '' || message === 'OK') return 'requested';
  return message === 'Idle for too long' ? 'idle' : message;
};

/**
 * Plans the next steps from an agent's unsettled notifications, regardless of their order. The agent is ended only when
 * both 102 and 103 have arrived or the grace period is over, so that messages from 103 belong to its run.
 *
 * @param agentStatus null if the agent was not started here
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
