import {
  evolveAgent,
  everything,
  type Agent,
  type AgentEvent,
  type CallPlace,
  type MessageEvent,
  type NewEvent,
} from '@turnkeeper/domain';
import type { AgentDeps } from '../agents/agent-change.js';
import { pendingEvent, type Fact } from '../log/stored-event.js';
import type { AppendRequest, SessionScope } from '../ports/event-store.port.js';
import type { AppendingTransaction, Ending, Settlement } from '../ports/transaction.port.js';
import { readNewest } from '../sessions/read-window.js';

/** Most events of one append. */
const AT_ONCE = 1_000;
/** Newest messages of a run that a snapshot is compared with; Agora's holds at most 1,024. */
const MOST_HELD = 2_048;
/** Agents of a session that are looked at for where the run before ended. */
const MOST_AGENTS = 100;

type Deps = Pick<AgentDeps, 'eventStore' | 'agents' | 'agentIdle'>;

/** The session that one call is remembered in, and the agent that stands for the call. */
export class CallSession {
  readonly scope: SessionScope;

  constructor(
    private readonly deps: Deps,
    readonly tenantId: string,
    memoryId: string,
    place: CallPlace,
    private agent: Agent | null,
  ) {
    this.scope =
      agent === null
        ? { tenantId, memoryId, ...place }
        : { tenantId, memoryId: agent.memoryId, actorId: agent.actorId, sessionId: agent.sessionId };
  }

  /**
   * The messages of this run as they stand, however they came there: not those of runs that ended before. Without the
   * agent's start, which may be late, the run begins where the one before it ended.
   */
  async heldMessages(): Promise<readonly MessageEvent[]> {
    const { agents, eventStore } = this.deps;
    const { tenantId, ...filter } = this.scope;
    const { rows } = await agents.list(tenantId, filter, { limit: MOST_AGENTS });
    const before = this.agent?.startedSequence ?? Number.POSITIVE_INFINITY;
    const ended = rows
      .filter(({ agentId }) => agentId !== this.agent?.agentId)
      .map(({ stoppedSequence }) => stoppedSequence ?? 0)
      .filter((sequence) => sequence < before);
    return readNewest(eventStore, this.scope, { size: MOST_HELD, hides: everything, after: Math.max(0, ...ended) });
  }

  /**
   * Takes over what the events say about the agent, and ends the transaction with them. What the log has already is left
   * out.
   */
  async end(tx: AppendingTransaction, events: readonly NewEvent[]): Promise<Ending<void>> {
    const settle: Settlement[] = [];
    const recordedAt = await tx.recordedAt();
    for (const event of events) {
      if (event.type !== 'agent.started' && event.type !== 'agent.stopped' && event.type !== 'agent.failed') continue;
      settle.push(await this.takeOver(tx, event as Fact<'agent.started'>, recordedAt));
    }
    const append: AppendRequest[] = [];
    for (let start = 0; start < events.length; start += AT_ONCE) {
      append.push({ ...this.scope, events: events.slice(start, start + AT_ONCE) });
    }
    return { append, settle, repeats: 'skip', result: () => undefined };
  }

  private async takeOver(
    tx: AppendingTransaction,
    fact: Fact<'agent.started'>,
    recordedAt: string,
  ): Promise<Settlement> {
    const { agents, agentIdle } = this.deps;
    const isNew = this.agent === null;
    this.agent = evolveAgent(this.agent, pendingEvent(this.scope, fact, recordedAt) as AgentEvent);
    if (isNew) await agents.insert(tx, this.agent);
    else {
      await agents.update(tx, this.agent);
      await agentIdle.forget(tx, this.agent.agentId);
    }
    return agents.settle(this.agent.agentId, fact);
  }
}
