import { AgentsOfLog, idleDueAt } from '@turnkeeper/domain';
import type { AgentIdleStore, AgentStore } from '../ports/agent-store.port.js';
import type { EventStore } from '../ports/event-store.port.js';
import type { UnitOfWork } from '../ports/transaction.port.js';

const PAGE = 1_000;

/** Makes the projection of agents anew from the log, in one transaction: readers see the old one until it is there. */
export class RebuildAgents {
  constructor(
    private readonly deps: {
      readonly unitOfWork: UnitOfWork;
      readonly eventStore: EventStore;
      readonly agents: AgentStore;
      readonly agentIdle: AgentIdleStore;
    },
  ) {}

  /** Resolves to the number of agents. Nothing may start or end an agent meanwhile. */
  async execute(): Promise<number> {
    const { unitOfWork, eventStore, agents, agentIdle } = this.deps;
    const ofLog = new AgentsOfLog();
    const head = await eventStore.headPosition();
    for (let position = 0; position < head;) {
      const page = await eventStore.readLog(position, PAGE);
      ofLog.take(page);
      position = page.length < PAGE ? head : (page.at(-1)?.position ?? head);
    }
    const all = ofLog.all();
    await unitOfWork.run(async (tx) => {
      await agents.replaceAll(tx, all);
      for (const agent of all) {
        // Due at once as a rule: whoever looks then finds out what has happened since the start.
        const dueAt = agent.status === 'RUNNING' ? idleDueAt(agent, agent.startedAt) : null;
        if (dueAt !== null) await agentIdle.watch(tx, agent, dueAt);
      }
    });
    return all.length;
  }
}
