import { DomainError } from '../errors.js';
import type { LogEvent } from '../log/log-event.js';

export type AgentStatus = 'RUNNING' | 'STOPPED';

/** What the log says about one agent. */
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
  /** Session sequence of `agent.started`; its messages come after it. */
  readonly startedSequence: number;
  readonly startedAt: string;
  readonly stoppedSequence: number | null;
  readonly stoppedAt: string | null;
  readonly stopReason: string | null;
}

export class AgentNotFound extends DomainError {
  readonly code = 'agent.not_found';
  readonly kind = 'not_found';
  constructor() {
    super('There is no such agent.', { field: 'agentId', rule: 'must name an agent of this tenant' });
  }
}

export class AgentNameTaken extends DomainError {
  readonly code = 'agent.name_taken';
  readonly kind = 'conflict';
  constructor() {
    super('An agent of this name is running.', {
      field: 'name',
      rule: 'unique among running agents',
      next: 'Stop the running agent, or choose another name.',
    });
  }
}

export class AgentNotRunning extends DomainError {
  readonly code = 'agent.not_running';
  readonly kind = 'conflict';
  constructor(status: AgentStatus) {
    super(`The agent is ${status}.`, { field: 'agentId', rule: 'must be RUNNING', facts: { agentStatus: status } });
  }
}

type AgentEvent = LogEvent<'agent.started'> | LogEvent<'agent.stopped'>;

/** Folds one event into an agent's state. Events of one agent arrive in log order. */
export const evolveAgent = (agent: Agent | null, event: AgentEvent): Agent => {
  if (event.type === 'agent.started') {
    const { data } = event;
    return {
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
      startedAt: event.recordedAt,
      stoppedSequence: null,
      stoppedAt: null,
      stopReason: null,
    };
  }
  if (agent === null) throw new AgentNotFound();
  return {
    ...agent,
    status: 'STOPPED',
    stoppedSequence: event.sequence,
    stoppedAt: event.recordedAt,
    stopReason: event.data.reason,
  };
};
