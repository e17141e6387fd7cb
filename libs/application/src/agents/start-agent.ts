import { evolveAgent, type Agent, type AgentStarted, type NewEvent } from '@turnkeeper/domain';
import type { StartAgentBody } from '@turnkeeper/contracts';
import type { AgentStore } from '../ports/agent-store.port.js';
import type { Ids } from '../ports/clock.port.js';
import type { EventStore } from '../ports/event-store.port.js';
import type { UnitOfWork } from '../ports/transaction.port.js';

/** Starts an agent in a session. Rejects with `AgentNameTaken` while another of its name is running. */
export class StartAgent {
  constructor(
    private readonly deps: {
      readonly unitOfWork: UnitOfWork;
      readonly eventStore: EventStore;
      readonly agents: AgentStore;
      readonly ids: Ids;
    },
  ) {}

  async execute(tenantId: string, body: StartAgentBody): Promise<Agent> {
    const { unitOfWork, eventStore, agents, ids } = this.deps;
    const { memoryId, actorId, sessionId, ...rest } = body;
    const scope = { tenantId, memoryId, actorId, sessionId };
    const data: AgentStarted = { agentId: ids.next(), ...rest };
    const event = {
      eventId: ids.next(),
      type: 'agent.started',
      schemaVersion: 1,
      data,
      occurredAt: null,
    } as const satisfies NewEvent;
    return unitOfWork.run(async (tx) => {
      const appended = await eventStore.appendIn(tx, { ...scope, events: [event] });
      const agent = evolveAgent(null, {
        ...scope,
        ...event,
        position: appended.firstPosition,
        sequence: appended.firstSequence,
        sessionKey: null,
        recordedAt: appended.recordedAt,
        expiresAt: null,
      });
      await agents.insert(tx, agent);
      return agent;
    });
  }
}
