import {
  agoraHistoryBody,
  agoraJoinedBody,
  agoraLeftBody,
  standardHistoryBody,
  standardStartedBody,
  standardStoppedBody,
  type Agent,
  type LogEvent,
  type WebhookEvent,
  type WebhookFormat,
} from '@turnkeeper/domain';

export interface MessageInput {
  readonly messageId: string;
  readonly format: WebhookFormat;
  readonly type: WebhookEvent;
  readonly agent: Agent;
  /** The agent's messages; only used for `agent.history`. */
  readonly messages: readonly LogEvent<'message.appended'>[];
  readonly maxBytes: number;
  /** Returns the URL of the full history. */
  readonly historyUrl: () => string;
}

/** The JSON text of a message about an agent in the endpoint's format. Deterministic. */
export const messageBody = (input: MessageInput): string => {
  const { agent, type, format, messages, maxBytes } = input;
  const stamp = type === 'agent.started' ? agent.startedAt : (agent.stoppedAt ?? agent.startedAt);
  const notice = { noticeId: input.messageId, notifyMs: Date.parse(stamp) };
  const history = { agent, messages, maxBytes, link: input.historyUrl };
  switch (type) {
    case 'agent.started':
      return format === 'agora' ? agoraJoinedBody(notice, agent) : standardStartedBody(agent);
    case 'agent.stopped':
      return format === 'agora' ? agoraLeftBody(notice, agent) : standardStoppedBody(agent);
    case 'agent.history':
      return (format === 'agora' ? agoraHistoryBody(notice, history) : standardHistoryBody(history)).body;
    case 'agent.action':
    case 'memory_state.updated':
    case 'records.extracted':
    case 'memory.deleted':
    case 'erasure.completed':
      throw new Error(`${type} is composed from its event`);
  }
};
