import { refusal, wantsEvent, type Agent, type AgentInstructed, type MessageAppended } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { factOf } from '../log/stored-event.js';
import { NextTurns } from './next-turns.js';
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

/**
 * Hands an action to the server that runs an agent's speech: stored with the message that it makes, and sent as the
 * webhook `agent.action`. Rejects with `AgentNotFound`, `AgentNotRunning` or `NoActionEndpoint`.
 */
export class InstructAgent {
  private readonly turns: NextTurns;

  constructor(private readonly deps: AgentReaders & Pick<Ports, 'ids' | 'clock' | 'endpoints'>) {
    this.turns = new NextTurns(deps);
  }

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
    const scope = scopeOf(agent);
    await this.turns.append(scope, agent, message === null ? [] : [message], (said, expectedSequence) =>
      eventStore.append({
        ...scope,
        through: { agentId, status: agent.status },
        events: [
          ...said.map((data) => factOf(ids.next(), 'message.appended', data)),
          factOf(ids.next(), 'agent.instructed', { agentId, ...instruction }),
        ],
        ...(expectedSequence === undefined ? {} : { expectedSequence }),
      }),
    );
    return agent;
  }

  private async isServed(tenantId: string): Promise<boolean> {
    const endpoints = await this.deps.endpoints.list(tenantId);
    return endpoints.some((endpoint) => endpoint.status !== 'disabled' && wantsEvent(endpoint, 'agent.action'));
  }
}
