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
import { storedEvent, type Fact } from '../log/stored-event.js';
import type { SessionScope } from '../ports/event-store.port.js';
import type { Transaction } from '../ports/transaction.port.js';
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
   * Appends events and takes over what they say about the agent. Call it last in the transaction: it holds the log's
   * head until the commit.
   */
  async append(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
    const { eventStore, agents, agentIdle } = this.deps;
    for (let start = 0; start < events.length; start += AT_ONCE) {
      const chunk = events.slice(start, start + AT_ONCE);
      const appended = await eventStore.appendIn(tx, { ...this.scope, events: chunk });
      if (appended.duplicate) continue;
      for (const [index, event] of chunk.entries()) {
        if (event.type !== 'agent.started' && event.type !== 'agent.stopped' && event.type !== 'agent.failed') continue;
        const stored = storedEvent(this.scope, event as Fact<'agent.started'>, {
          ...appended,
          firstPosition: appended.firstPosition + index,
          firstSequence: (appended.firstSequence ?? 0) + index,
        }) as AgentEvent;
        const isNew = this.agent === null;
        this.agent = evolveAgent(this.agent, stored);
        if (isNew) await agents.insert(tx, this.agent);
        else {
          await agents.update(tx, this.agent);
          await agentIdle.forget(tx, this.agent.agentId);
        }
      }
    }
  }
}
