import { MAX_AGENT_HISTORY } from '@turnkeeper/application';
import {
  agoraContentOf,
  isAssistantRole,
  isUserRole,
  type Agent,
  type AgentStatus,
  type MessageEvent,
} from '@turnkeeper/domain';
import type { AgoraHistoryQuery } from './bodies.js';

/** Agora's numbers for agent states. */
const STATES: Readonly<Record<AgentStatus, number>> = { RUNNING: 2, STOPPED: 4, FAILED: 6 };

export const statusesOf = (states: string): AgentStatus[] => {
  const wanted = new Set(states.split(',').map(Number));
  return (Object.keys(STATES) as AgentStatus[]).filter((status) => wanted.has(STATES[status]));
};

const seconds = (iso: string): number => Math.floor(Date.parse(iso) / 1_000);

/** The id that the client knows the agent by: Agora's own if it runs there. */
export const agoraIdOf = ({ agentId, vendorAgentId }: Agent): string => vendorAgentId ?? agentId;

export const taskResponse = (agent: Agent) => ({
  agent_id: agoraIdOf(agent),
  create_ts: seconds(agent.startedAt),
  status: agent.status,
});

/** Agora's reference has `status` here; its Go client reads `state`. */
export const updateResponse = (agent: Agent) => ({ ...taskResponse(agent), state: agent.status });

/** Response to `speak`, `interrupt` and `think`. */
export const actionResponse = (agent: Agent) => ({
  agent_id: agoraIdOf(agent),
  channel: agent.channel ?? '',
  start_ts: seconds(agent.startedAt),
});

export const agentDetail = (agent: Agent) => ({
  message: agent.stopReason ?? '',
  start_ts: seconds(agent.startedAt),
  stop_ts: agent.stoppedAt === null ? 0 : seconds(agent.stoppedAt),
  name: agent.name,
  status: agent.status,
  agent_id: agoraIdOf(agent),
});

/**
 * The conversation, or a page of it. `truncated` is sent if its beginning is left out, because it is longer than any
 * response.
 *
 * @param messages the newest, oldest first; at most `MAX_AGENT_HISTORY`
 */
export const agentHistory = (
  agent: Agent,
  messages: readonly MessageEvent[],
  { limit, cursor, roles }: AgoraHistoryQuery,
) => {
  const shown = messages.filter(
    ({ data, sequence }) =>
      (roles === 'any' || isUserRole(data.role) || isAssistantRole(data.role)) && (sequence ?? 0) > Number(cursor),
  );
  const page = limit === undefined ? shown : shown.slice(0, limit);
  const next = page.length < shown.length ? String(page.at(-1)?.sequence ?? '') : '';
  return {
    agent_id: agoraIdOf(agent),
    start_ts: seconds(agent.startedAt),
    status: agent.status,
    contents: page.map(({ data }) => agoraContentOf(data)),
    ...(messages.length >= MAX_AGENT_HISTORY ? { truncated: true } : {}),
    ...(limit === undefined ? {} : { meta: { cursor: next, total: shown.length } }),
  };
};

export const agentList = (agents: readonly Agent[], total: number, cursor: string) => ({
  data: {
    count: agents.length,
    list: agents.map((agent) => ({
      start_ts: seconds(agent.startedAt),
      status: agent.status,
      agent_id: agoraIdOf(agent),
    })),
  },
  meta: { cursor, total },
  status: 'ok',
});
