import { HistoryLinkInvalid, type Agent, type LogEvent } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { requireAgent } from '../agents/agent-change.js';
import type { HistoryLink } from './history-links.port.js';
import { wholeHistoryOf } from './whole-history.js';

/** Serves the link of a history webhook. The link itself is the credential. */
export class ReadLinkedHistory {
  constructor(private readonly deps: Pick<Ports, 'historyLinks' | 'agents' | 'eventStore' | 'clock'>) {}

  /** Rejects with `HistoryLinkInvalid`, or with `AgentNotFound` if the agent has been erased. */
  async execute(
    link: HistoryLink,
  ): Promise<{ readonly agent: Agent; readonly messages: readonly LogEvent<'message.appended'>[] }> {
    const { historyLinks, agents, eventStore, clock } = this.deps;
    if (!(await historyLinks.isValid(link, clock.now()))) throw new HistoryLinkInvalid();
    const agent = await requireAgent(agents, link.tenantId, link.agentId);
    return { agent, messages: await wholeHistoryOf(eventStore, agent) };
  }
}
