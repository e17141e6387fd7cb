import { MAX_AGENT_HISTORY } from '@turnkeeper/application';
import type { OutputOf, routes } from '@turnkeeper/contracts';
import { agoraContentOf, type Agent, type MessageEvent } from '@turnkeeper/domain';

type AgentAnswer = OutputOf<typeof routes.getAgent>;
type HistoryAnswer = OutputOf<typeof routes.getAgentHistory>;

export const statusOf = ({ status }: Pick<Agent, 'status'>): AgentAnswer['status'] =>
  status.toLowerCase() as Lowercase<typeof status>;

export const agentResponse = ({ tenantId: _, agentId, ...agent }: Agent): AgentAnswer =>
  ({ id: agentId, ...agent, status: statusOf(agent) }) as unknown as AgentAnswer;

const contentsOf = (messages: readonly MessageEvent[]): HistoryAnswer['contents'] =>
  messages.map(({ data }) => agoraContentOf(data)) as HistoryAnswer['contents'];

export const historyResponse = (agent: Agent, messages: readonly MessageEvent[]): HistoryAnswer => ({
  agentId: agent.agentId,
  status: statusOf(agent),
  truncated: messages.length >= MAX_AGENT_HISTORY,
  contents: contentsOf(messages),
});
