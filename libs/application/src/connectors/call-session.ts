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
import { scopeOf, type AppendRequest, type SessionScope } from '../log/event-store.port.js';
import type { AppendingTransaction, Ending, Settlement } from '../shared/transaction.port.js';
import { readNewest } from '../sessions/read-window.js';
import { endAgain, LATE_NOTICE } from './call-deps.js';

/** Maximum number of events per append. */
const AT_ONCE = 1_000;
/** Newest messages of a run compared with a snapshot. Agora's snapshots hold at most 1,024. */
const MAX_HELD = 2_048;
/** Agents of a session searched for the end of the previous run. */
const MAX_AGENTS = 100;

type Deps = Pick<AgentDeps, 'eventStore' | 'agents' | 'agentIdle'>;

/** The session that a call is written to, and the agent that represents the call. */
export class CallSession {
  readonly scope: SessionScope;

  constructor(
    private readonly deps: Deps,
    readonly tenantId: string,
    memoryId: string,
    place: CallPlace,
    private agent: Agent | null,
  ) {
    this.scope = agent === null ? { tenantId, memoryId, ...place } : scopeOf({ ...agent, tenantId });
  }

  /**
   * The event that repeats the agent's end after late events, so that they reach its history and its webhook. Absent if
   * the call has not ended, nothing came late, or a later agent has started in the session, whose messages the history
   * would take in; `code` then names why the notices are not in the history.
   *
   * @param endId id of the repeated end
   */
  async repeatEnd(
    events: readonly NewEvent[],
    endId: string,
  ): Promise<{ readonly end: readonly NewEvent[]; readonly code: string | null }> {
    const { agent } = this;
    if (agent === null || agent.status === 'RUNNING' || events.length === 0) return { end: [], code: null };
    if (!(await this.isNewestRun())) return { end: [], code: LATE_NOTICE };
    return { end: [endAgain(endId, agent)], code: null };
  }

  private async isNewestRun(): Promise<boolean> {
    const { tenantId, ...filter } = this.scope;
    const { rows } = await this.deps.agents.list(tenantId, filter, { limit: MAX_AGENTS });
    const started = this.agent?.startedSequence ?? 0;
    return rows.every(({ agentId, startedSequence }) => agentId === this.agent?.agentId || startedSequence < started);
  }

  /**
   * Current messages of this run, from any source, without those of earlier runs. If the agent's start is not in the
   * log yet, the run begins at the end of the previous one.
   */
  async heldMessages(): Promise<readonly MessageEvent[]> {
    const { agents, eventStore } = this.deps;
    const { tenantId, ...filter } = this.scope;
    const { rows } = await agents.list(tenantId, filter, { limit: MAX_AGENTS });
    const before = this.agent?.startedSequence ?? Number.POSITIVE_INFINITY;
    const ended = rows
      .filter(({ agentId }) => agentId !== this.agent?.agentId)
      .map(({ stoppedSequence }) => stoppedSequence ?? 0)
      .filter((sequence) => sequence < before);
    return readNewest(eventStore, this.scope, { size: MAX_HELD, hides: everything, after: Math.max(0, ...ended) });
  }

  /**
   * Applies the events to the agent and ends the transaction with their append. Requests already in the log are
   * skipped, and so are messages that were erased: a vendor may repeat them, while the call goes on.
   */
  async end(tx: AppendingTransaction, all: readonly NewEvent[]): Promise<Ending<void>> {
    const ids = all.filter(({ type }) => type.startsWith('message.')).map(({ eventId }) => eventId);
    const erased = await this.deps.eventStore.erasedAmong(this.tenantId, ids);
    const events = all.filter(({ eventId }) => !erased.has(eventId));
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
