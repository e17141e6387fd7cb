import type { Agent, AgentStatus, MessageEvent } from '@turnkeeper/domain';
import { contentsOf } from '../agents/agent-response.js';

/** Agora's numbers for agent states. */
const STATES: Readonly<Record<AgentStatus, number>> = { RUNNING: 2, STOPPED: 4, FAILED: 6 };

export const statusesOf = (states: string): AgentStatus[] => {
  const wanted = new Set(states.split(',').map(Number));
  return (Object.keys(STATES) as AgentStatus[]).filter((status) => wanted.has(STATES[status]));
};

const seconds = (iso: string): number => Math.floor(Date.parse(iso) / 1_000);

export const taskResponse = (agent: Agent) => ({
  agent_id: agent.agentId,
  create_ts: seconds(agent.startedAt),
  status: agent.status,
});

export const agentDetail = (agent: Agent) => ({
  message: agent.stopReason ?? '',
  start_ts: seconds(agent.startedAt),
  stop_ts: agent.stoppedAt === null ? 0 : seconds(agent.stoppedAt),
  name: agent.name,
  status: agent.status,
  agent_id: agent.agentId,
});

export const agentHistory = (agent: Agent, messages: readonly MessageEvent[]) => ({
  agent_id: agent.agentId,
  start_ts: seconds(agent.startedAt),
  status: agent.status,
  contents: contentsOf(messages),
});

export const agentList = (agents: readonly Agent[], total: number, cursor: string) => ({
  data: {
    count: agents.length,
    list: agents.map((agent) => ({
      start_ts: seconds(agent.startedAt),
      status: agent.status,
      agent_id: agent.agentId,
    })),
  },
  meta: { cursor, total },
  status: 'ok',
});
