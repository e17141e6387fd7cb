import { evolveAgent, idleDueAt, type Agent, type AgentStarted, type MessageAppended } from '@turnkeeper/domain';
import { factOf, pendingEvent, storedEvent } from '../log/stored-event.js';
import type { Appended, SessionScope } from '../ports/event-store.port.js';
import { projectAgent } from '../projections/project-agent.js';
import type { AgentDeps } from './agent-change.js';

export interface StartAgentInput extends Omit<AgentStarted, 'agentId'>, Omit<SessionScope, 'tenantId'> {
  /** What its history begins with, oldest first. */
  readonly initialMessages?: readonly MessageAppended[];
  /** Given where the caller needs the id before the start; made here otherwise. */
  readonly agentId?: string;
}

/** Starts an agent in a session. Rejects with `AgentNameTaken` while another of its name is running. */
export class StartAgent {
  constructor(private readonly deps: AgentDeps) {}

  async execute(tenantId: string, input: StartAgentInput): Promise<Agent> {
    const { unitOfWork, agents, agentIdle, ids } = this.deps;
    const { memoryId, actorId, sessionId, initialMessages = [], agentId = ids.next(), ...rest } = input;
    const scope = { tenantId, memoryId, actorId, sessionId };
    const started = factOf(ids.next(), 'agent.started', { agentId, ...rest });
    const messages = initialMessages.map((message) => factOf(ids.next(), 'message.appended', message));
    return unitOfWork.appendFor(tenantId, async (tx) => {
      const agent = await projectAgent({ agents }, tx, null, pendingEvent(scope, started, await tx.recordedAt()));
      const dueAt = idleDueAt(agent, agent.startedAt);
      if (dueAt !== null) await agentIdle.watch(tx, agent, dueAt);
      return {
        append: [{ ...scope, events: [started, ...messages] }],
        settle: [agents.settle(agentId, started)],
        result: ([appended]) => evolveAgent(null, storedEvent(scope, started, appended as Appended)),
      };
    });
  }
}
