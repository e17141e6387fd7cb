import { idleDueAt, SequenceConflict } from '@turnkeeper/domain';
import { factOf } from '../log/stored-event.js';
import { applyChange, scopeOfAgent, type AgentDeps } from './agent-change.js';

/** The reason of a stop by silence. */
export const IDLE = 'idle';

/**
 * Stops an agent in whose session nothing has happened for its idle timeout. What was appended meanwhile is looked for
 * here and not noted with every append; an append that comes at the very moment wins.
 */
export class StopIdleAgent {
  constructor(private readonly deps: AgentDeps) {}

  /** Resolves to whether it was stopped. */
  async execute(tenantId: string, agentId: string): Promise<boolean> {
    try {
      return await this.decide(tenantId, agentId);
    } catch (error) {
      // Something was appended while we decided: the watch is still due, and the next look finds the new event.
      if (error instanceof SequenceConflict) return false;
      throw error;
    }
  }

  private decide(tenantId: string, agentId: string): Promise<boolean> {
    const { unitOfWork, eventStore, agents, agentIdle, ids } = this.deps;
    return unitOfWork.run(async (tx) => {
      const agent = await agents.findForUpdate(tx, tenantId, agentId);
      if (agent === null || agent.status !== 'RUNNING') {
        await agentIdle.forget(tx, agentId);
        return false;
      }
      // In this order: what is appended after the first read makes the append at the end fail.
      const sequence = await eventStore.sessionSequence(scopeOfAgent(agent));
      const [newest] = await eventStore.readSession(scopeOfAgent(agent), { order: 'newest-first', limit: 1 });
      const dueAt = idleDueAt(agent, newest?.recordedAt ?? agent.startedAt);
      if (dueAt === null || !(await agentIdle.postpone(tx, agentId, dueAt))) return false;
      const stopped = factOf(ids.next(), 'agent.stopped', { agentId, reason: IDLE });
      await applyChange(this.deps, tx, agent, stopped, sequence);
      return true;
    });
  }
}
