import {
  agentView,
  assignTurns,
  refusal,
  wantsEvent,
  type Agent,
  type AgentInstructed,
  type MessageAppended,
  type NewEvent,
} from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { factOf } from '../log/stored-event.js';
import { readNewest } from '../sessions/read-window.js';
import { requireRunning } from './agent-change.js';
import type { AgentReaders } from './agent-messages.js';
import { scopeOf } from '../log/event-store.port.js';

/** No endpoint of the tenant subscribes to actions, so an action would be stored without effect. */
export class NoActionEndpoint extends refusal('agent.no_action_endpoint', 'conflict', {
  message: 'No registered server can carry out the action.',
  field: 'action',
  rule: 'requires a webhook endpoint that subscribes to agent.action',
  next: 'Create a webhook endpoint with the event agent.action on the server that runs the speech engine.',
}) {}

type Instruction = Omit<AgentInstructed, 'agentId'>;

/** Messages searched for the last turn id. */
const LOOK_BACK = 20;

/** The newest messages of the agent's window, for the turn of the next one. */
export const newestOfAgent = (
  eventStore: AgentReaders['eventStore'],
  agent: Agent,
): Promise<readonly { readonly data: MessageAppended }[]> =>
  readNewest(eventStore, scopeOf(agent), {
    size: LOOK_BACK,
    hides: agentView(agent.agentId),
    after: agent.startedSequence,
  });

/**
 * Hands an action to the server that runs an agent's speech: stored with the message that it makes, and sent as the
 * webhook `agent.action`. Rejects with `AgentNotFound`, `AgentNotRunning` or `NoActionEndpoint`.
 */
export class InstructAgent {
  constructor(private readonly deps: AgentReaders & Pick<Ports, 'ids' | 'clock' | 'endpoints'>) {}

  /** @param message becomes part of the conversation; null for none */
  async execute(
    tenantId: string,
    agentId: string,
    instruction: Instruction,
    message: MessageAppended | null = null,
  ): Promise<Agent> {
    const { agents, eventStore, ids } = this.deps;
    const agent = await requireRunning(agents, tenantId, agentId);
    if (!(await this.isServed(tenantId))) throw new NoActionEndpoint();
    const said = message === null ? [] : await this.inTurn(agent, message);
    const instructed = factOf(ids.next(), 'agent.instructed', { agentId, ...instruction });
    await eventStore.append({
      ...scopeOf(agent),
      through: { agentId, status: agent.status },
      events: [...said, instructed],
    });
    return agent;
  }

  private async isServed(tenantId: string): Promise<boolean> {
    const endpoints = await this.deps.endpoints.list(tenantId);
    return endpoints.some((endpoint) => endpoint.status !== 'disabled' && wantsEvent(endpoint, 'agent.action'));
  }

  private async inTurn(agent: Agent, message: MessageAppended): Promise<NewEvent[]> {
    const { eventStore, ids, clock } = this.deps;
    const earlier = (await newestOfAgent(eventStore, agent)).map(({ data }) => data);
    return assignTurns([message], earlier, clock.now().getTime()).map((data) =>
      factOf(ids.next(), 'message.appended', data),
    );
  }
}
