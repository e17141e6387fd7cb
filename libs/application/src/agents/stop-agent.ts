import { AgentNotFound, AgentNotRunning, evolveAgent, type Agent, type NewEvent } from '@turnkeeper/domain';
import type { AgentStore } from '../ports/agent-store.port.js';
import type { Ids } from '../ports/clock.port.js';
import type { EventStore } from '../ports/event-store.port.js';
import type { UnitOfWork } from '../ports/transaction.port.js';

/** Stops a running agent. Its history webhook follows from the event. */
export class StopAgent {
  constructor(
    private readonly deps: {
      readonly unitOfWork: UnitOfWork;
      readonly eventStore: EventStore;
      readonly agents: AgentStore;
      readonly ids: Ids;
    },
  ) {}

  async execute(tenantId: string, agentId: string, reason: string): Promise<Agent> {
    const { unitOfWork, eventStore, agents, ids } = this.deps;
    return unitOfWork.run(async (tx) => {
      const agent = await agents.findForUpdate(tx, tenantId, agentId);
      if (agent === null) throw new AgentNotFound();
      if (agent.status !== 'RUNNING') throw new AgentNotRunning(agent.status);
      const { memoryId, actorId, sessionId } = agent;
      const scope = { tenantId, memoryId, actorId, sessionId };
      const event = {
        eventId: ids.next(),
        type: 'agent.stopped',
        schemaVersion: 1,
        data: { agentId, reason },
        occurredAt: null,
      } as const satisfies NewEvent;
      const appended = await eventStore.appendIn(tx, { ...scope, events: [event] });
      const stopped = evolveAgent(agent, {
        ...scope,
        ...event,
        position: appended.firstPosition,
        sequence: appended.firstSequence,
        sessionKey: null,
        recordedAt: appended.recordedAt,
        expiresAt: null,
      });
      await agents.update(tx, stopped);
      return stopped;
    });
  }
}
