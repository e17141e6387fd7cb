import { agentView, everything, type Agent, type MessageEvent } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { scopeOf, type EventStore } from '../log/event-store.port.js';
import { readNewest, readWindow, type WindowWish } from '../sessions/read-window.js';

/** Maximum number of messages in a history. Older messages remain available in the session's events. */
export const MAX_AGENT_HISTORY = 10_000;

/** The agent's range of its session: everything between its start and its end. */
const spanOf = (agent: Agent): Pick<WindowWish, 'after' | 'before'> => ({
  after: agent.startedSequence,
  ...(agent.stoppedSequence === null ? {} : { before: agent.stoppedSequence }),
});

/** An agent's messages in their current state, including hidden ones, oldest first. */
export const historyOfAgent = (eventStore: EventStore, agent: Agent): Promise<readonly MessageEvent[]> =>
  readNewest(eventStore, scopeOf(agent), { ...spanOf(agent), size: MAX_AGENT_HISTORY, hides: everything });

/** An agent's context: its messages since its last reset, preceded by the history it was configured to load. */
export const contextOfAgent = (eventStore: EventStore, agent: Agent): Promise<readonly MessageEvent[]> =>
  readNewest(eventStore, scopeOf(agent), {
    ...spanOf(agent),
    size: MAX_AGENT_HISTORY,
    hides: agentView(agent.agentId),
    loadHistory: agent.loadHistory,
  });

/** The newest part of an agent's context, as passed to its model. */
export const windowOfAgent = (eventStore: EventStore, agent: Agent): Promise<readonly MessageEvent[]> =>
  readWindow(eventStore, scopeOf(agent), {
    ...spanOf(agent),
    size: agent.maxHistory,
    hides: agentView(agent.agentId),
    loadHistory: agent.loadHistory,
  });

export type AgentReaders = Pick<Ports, 'agents' | 'eventStore'>;
