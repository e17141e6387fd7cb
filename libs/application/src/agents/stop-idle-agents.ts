import { idleDueAt, SequenceConflict } from '@turnkeeper/domain';
import { factOf } from '../log/stored-event.js';
import { commitOnly } from '../shared/transaction.port.js';
import { applyChange, type AgentDeps } from './agent-change.js';
import { scopeOf } from '../log/event-store.port.js';

/** The stop reason after an idle timeout. */
export const IDLE = 'idle';

/** Maximum number of agents per run; the rest is handled in the next run. */
const AT_ONCE = 200;

/**
 * Stops agents whose session had no event for their idle timeout. The newest event is read here instead of being
 * stored with every append. A concurrent append wins. Safe to run in many processes.
 */
export class StopIdleAgents {
  constructor(private readonly deps: AgentDeps) {}

  /** Resolves to the number of stopped agents. */
  async execute(signal?: AbortSignal): Promise<number> {
    let stopped = 0;
    const failures: unknown[] = [];
    for (const { tenantId, agentId } of await this.deps.agentIdle.due(AT_ONCE)) {
      if (signal?.aborted === true) break;
      try {
        if (await this.stopIfIdle(tenantId, agentId)) stopped += 1;
      } catch (error) {
        // A failure to stop one agent must not block the others.
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
      // An event was appended concurrently. The agent stays due, and the next run sees the new event.
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
      const scope = scopeOf(agent);
      // The order matters: any event appended after the first read makes the final append fail.
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
