import { refusal } from '../errors.js';
import type { LogEvent } from '../log/log-event.js';

export const AGENT_STATUSES = ['RUNNING', 'STOPPED', 'FAILED'] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

/** State of one agent, folded from its events. */
export interface Agent {
  readonly agentId: string;
  readonly tenantId: string;
  readonly memoryId: string;
  readonly actorId: string;
  readonly sessionId: string;
  readonly name: string;
  readonly vendor: string;
  readonly status: AgentStatus;
  readonly maxHistory: number;
  readonly channel: string | null;
  readonly systemMessages: LogEvent<'agent.started'>['data']['systemMessages'];
  readonly params: LogEvent<'agent.started'>['data']['params'];
  readonly labels: LogEvent<'agent.started'>['data']['labels'];
  /** Session sequence of `agent.started`; the agent's messages have higher sequences. */
  readonly startedSequence: number;
  readonly idleTimeoutSeconds: number;
  readonly loadHistory: number;
  readonly appId: string | null;
  /** The agent's id on the voice platform that runs it; null if it was started here. */
  readonly vendorAgentId: string | null;
  readonly startedAt: string;
  /** When system messages or parameters last changed; null if never. */
  readonly updatedAt: string | null;
  /** Null while the agent is running. */
  readonly stoppedSequence: number | null;
  readonly stoppedAt: string | null;
  readonly stopReason: string | null;
}

export class AgentNotFound extends refusal('agent.not_found', 'not_found', {
  message: 'There is no such agent.',
  field: 'agentId',
  rule: 'must name an agent of this tenant',
  next: 'List the agents with GET /v1/agents and use an id from there.',
}) {}

/** @param agentId the running agent, if it is known */
export class AgentNameTaken extends refusal('agent.name_taken', 'conflict', (agentId?: string) => ({
  message: 'An agent with this name is already running.',
  field: 'name',
  rule: 'must be unique among the running agents of its memory, or of its vendor app',
  next: 'Stop the running agent, or choose another name.',
  ...(agentId === undefined ? {} : { facts: { runningAgentId: agentId } }),
})) {}

export class AgentNotRunning extends refusal('agent.not_running', 'conflict', (status: AgentStatus) => ({
  message: `agentId must name a running agent; this one is ${status.toLowerCase()}.`,
  title: 'The agent is not running.',
  field: 'agentId',
  rule: 'must name a running agent',
  next: 'Start a new agent with POST /v1/agents.',
  facts: { agentStatus: status.toLowerCase() },
})) {}

/** Event types that agent state is folded from. */
export const AGENT_EVENT_TYPES = ['agent.started', 'agent.updated', 'agent.stopped', 'agent.failed'] as const;
export type AgentEvent = LogEvent<(typeof AGENT_EVENT_TYPES)[number]>;

/** Folds one event into an agent's state. Events must be passed in log order. */
export const evolveAgent = (agent: Agent | null, event: AgentEvent): Agent => {
  if (event.type === 'agent.started') return startedAgent(event);
  if (agent === null) throw new AgentNotFound();
  switch (event.type) {
    case 'agent.updated':
      return {
        ...agent,
        systemMessages: event.data.systemMessages ?? agent.systemMessages,
        params: event.data.params ?? agent.params,
        updatedAt: event.recordedAt,
      };
    case 'agent.stopped':
    case 'agent.failed':
      return {
        ...agent,
        status: event.type === 'agent.stopped' ? 'STOPPED' : 'FAILED',
        stoppedSequence: event.sequence,
        stoppedAt: event.data.stoppedAt ?? event.recordedAt,
        stopReason: event.data.reason,
      };
  }
};

const startedAgent = ({ data, ...event }: LogEvent<'agent.started'>): Agent => ({
  agentId: data.agentId,
  tenantId: event.tenantId,
  memoryId: event.memoryId,
  actorId: event.actorId ?? '',
  sessionId: event.sessionId ?? '',
  name: data.name,
  vendor: data.vendor,
  status: 'RUNNING',
  maxHistory: data.maxHistory,
  channel: data.channel,
  systemMessages: data.systemMessages,
  params: data.params,
  labels: data.labels,
  startedSequence: event.sequence ?? 0,
  idleTimeoutSeconds: data.idleTimeoutSeconds ?? 0,
  loadHistory: data.loadHistory ?? 0,
  appId: data.appId ?? null,
  vendorAgentId: data.vendorAgentId ?? null,
  startedAt: data.startedAt ?? event.recordedAt,
  updatedAt: null,
  stoppedSequence: null,
  stoppedAt: null,
  stopReason: null,
});
