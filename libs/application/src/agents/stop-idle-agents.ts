import { idleDueAt, SequenceConflict } from '@turnkeeper/domain';
import { factOf } from '../log/stored-event.js';
import { commitOnly } from '../ports/transaction.port.js';
import { applyChange, scopeOfAgent, type AgentDeps } from './agent-change.js';

/** The reason of a stop by silence. */
export const IDLE = 'idle';

/** Agents of one go; the rest is due at the next. */
const AT_ONCE = 200;

/**
 * Stops agents in whose sessions nothing has happened for their idle timeout. What was appended is looked for here and
 * not noted with every append; an append that comes at the very moment wins. Safe to run in many processes.
 */
export class StopIdleAgents {
  constructor(private readonly deps: AgentDeps) {}

  /** Resolves to the number of agents that were stopped. */
  async execute(signal?: AbortSignal): Promise<number> {
    let stopped = 0;
    const failures: unknown[] = [];
    for (const { tenantId, agentId } of await this.deps.agentIdle.due(AT_ONCE)) {
      if (signal?.aborted === true) break;
      try {
        if (await this.stopIfIdle(tenantId, agentId)) stopped += 1;
      } catch (error) {
        // One agent that cannot be stopped holds up no other.
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return stopped;
  }

  private async stopIfIdle(tenantId: string, agentId: string): Promise<boolean> {
    try {
      return await this.decide(tenantId, agentId);
    } catch (error) {
      // Something was appended while we decided: it stays due, and the next look finds the new event.
      if (error instanceof SequenceConflict) return false;
      throw error;
    }
  }

  private decide(tenantId: string, agentId: string): Promise<boolean> {
    const { unitOfWork, eventStore, agents, agentIdle, ids } = this.deps;
    return unitOfWork.append(async (tx) => {
      const agent = await agents.findForUpdate(tx, tenantId, agentId);
      if (agent === null || agent.status !== 'RUNNING') {
        await agentIdle.forget(tx, agentId);
        return commitOnly(false);
      }
      const scope = scopeOfAgent(agent);
      // In this order: what is appended after the first read makes the append at the end fail.
      const sequence = await eventStore.sessionSequence(scope);
      const [newest] = await eventStore.readSession(scope, { order: 'newest-first', limit: 1 });
      const dueAt = idleDueAt(agent, newest?.recordedAt ?? agent.startedAt);
      if (dueAt === null || !(await agentIdle.postpone(tx, agentId, dueAt))) return commitOnly(false);
      const stopped = factOf(ids.next(), 'agent.stopped', { agentId, reason: IDLE });
      const ending = await applyChange(this.deps, tx, agent, stopped, sequence);
      return { ...ending, result: () => true };
    });
  }
}
