import type { Agent } from '../agent/agent.js';
import { agoraContentOf } from '../session/agora-content.js';
import { writeJson } from '../text/exact-json.js';
import { fitNewest, type HistoryBody, type HistoryInput } from './history.js';

/** Agora's product id of Conversational AI. */
const AGORA_PRODUCT_ID = 17;

/**
 * The envelope of Agora's notification service (Agora docs, "Notification Center" and "Notification event types"). One
 * difference: Agora changes `notifyMs` on each retry; here it stays the same, because the bytes of a message never
 * change.
 */
export interface AgoraNotice {
  /** The same on every attempt; receivers deduplicate by it. */
  readonly noticeId: string;
  /** Milliseconds since 1970. */
  readonly notifyMs: number;
}

const seconds = (iso: string): number => Math.floor(Date.parse(iso) / 1000);

const envelope = (notice: AgoraNotice, eventType: number, sid: string, payload: object): string =>
  writeJson({
    noticeId: notice.noticeId,
    productId: AGORA_PRODUCT_ID,
    eventType,
    notifyMs: notice.notifyMs,
    sid,
    payload,
  });

const factsOf = (agent: Agent) => ({
  // A receiver knows the agents of a connector by Agora's ids.
  agent_id: agent.vendorAgentId ?? agent.agentId,
  name: agent.name,
  channel: agent.channel ?? '',
  start_ts: seconds(agent.startedAt),
});

const stopOf = (agent: Agent) => ({ stop_ts: seconds(agent.stoppedAt ?? agent.startedAt) });

/**
 * Event 103, agent history. Unlike Agora's own, it is not limited to `max_history` entries: it contains the whole
 * history, or the newest part that fits together with `truncated`, `total_count` and `history_url`.
 */
export const agoraHistoryBody = (notice: AgoraNotice, input: HistoryInput): HistoryBody =>
  fitNewest(
    input,
    ({ data }) => agoraContentOf(data),
    ({ contents, link }) =>
      envelope(notice, 103, input.agent.sessionId, {
        ...factsOf(input.agent),
        ...stopOf(input.agent),
        labels: input.agent.labels,
        ...(link === null ? {} : { truncated: true, total_count: input.messages.length, history_url: link }),
        contents,
      }),
  );

/** Event 101, agent joined. */
export const agoraJoinedBody = (notice: AgoraNotice, agent: Agent): string =>
  envelope(notice, 101, agent.sessionId, { ...factsOf(agent), labels: agent.labels });

/** Event 102, agent left. */
export const agoraLeftBody = (notice: AgoraNotice, agent: Agent): string =>
  envelope(notice, 102, agent.sessionId, {
    ...factsOf(agent),
    ...stopOf(agent),
    labels: agent.labels,
    status: agent.status,
    message: leftMessage(agent.stopReason),
  });

/** Maps our stop reasons to the messages of Agora's event 102; a caller's own reason is kept. */
const leftMessage = (reason: string | null): string => {
  if (reason === null || reason === 'requested') return 'OK';
  return reason === 'idle' ? 'Idle for too long' : reason;
};

/** Body of a test delivery: an event 101 for the channel that Agora's own health check uses. */
export const agoraTestBody = (notice: AgoraNotice): string =>
  envelope(notice, 101, 'test_webhook', {
    agent_id: 'test_webhook',
    name: 'test_webhook',
    channel: 'test_webhook',
    start_ts: Math.floor(notice.notifyMs / 1000),
    labels: {},
  });
