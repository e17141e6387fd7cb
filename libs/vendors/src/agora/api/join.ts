import {
  NextTurns,
  type AgentStore,
  type Clock,
  type EventStore,
  type Ids,
  type StartAgent,
  type StartAgentInput,
  type VendorAppStore,
} from '@turnkeeper/application';
import { parseOrRefuse } from '@turnkeeper/contracts';
import {
  actorLabelOf,
  ActorLabelMissing,
  AgentNameTaken,
  bindingOfLabels,
  MemoryLabelMissing,
  type Agent,
  type MessageAppended,
} from '@turnkeeper/domain';
import { labelBinding, labelsOf, type AgoraJoinBody } from './bodies.js';
import { fillTemplate } from './template.js';

/** Agora's `llm.max_history` when absent (their REST reference, `join`). */
const DEFAULT_MAX_HISTORY = 32;

/**
 * Starts an agent from Agora's `join`. Labels bind it: `memory_id` (default: the memory registered for the app),
 * `actor_id` or `user_id` (required), `session_id` (default: a new session named after the agent's id). With the label
 * `store_greeting: true`, the greeting is the first turn.
 */
export class JoinAgoraAgent {
  private readonly turns: NextTurns;

  constructor(
    private readonly startAgent: StartAgent,
    private readonly deps: {
      readonly vendorApps: VendorAppStore;
      readonly agents: AgentStore;
      readonly ids: Ids;
      readonly clock: Clock;
      readonly eventStore: EventStore;
    },
  ) {
    this.turns = new NextTurns(deps);
  }

  async execute(tenantId: string, appId: string, { name, properties }: AgoraJoinBody): Promise<Agent> {
    const { llm, mllm } = properties;
    const labels = labelsOf(properties);
    const agentId = this.deps.ids.next();
    const bound = bindingOfLabels(labels);
    // The user id can come under several names; the error names the one that was sent.
    const actorLabel = actorLabelOf(labels);
    const ids = parseOrRefuse('properties.labels', labelBinding(actorLabel), {
      memory_id: bound.memoryId,
      [actorLabel]: bound.actorId,
      session_id: bound.sessionId,
    });
    const { memory_id = null, session_id = null, [actorLabel]: actor_id = null } = ids;
    if (actor_id === null) throw new ActorLabelMissing();
    const filled = (text: string): string => fillTemplate(text, llm?.template_variables ?? {});
    const greeting = filled(llm?.greeting_message ?? '');
    const isGreetingStored = labels['store_greeting'] === true && greeting !== '';
    const start: StartAgentInput = {
      agentId,
      memoryId: memory_id ?? (await this.registeredMemory(tenantId, appId)),
      actorId: actor_id,
      sessionId: session_id ?? agentId,
      name,
      vendor: llm?.vendor ?? 'openai',
      systemMessages: (llm?.system_messages ?? []).map((message) =>
        typeof message['content'] === 'string' ? { ...message, content: filled(message['content']) } : message,
      ),
      params: llm?.params ?? mllm?.params ?? {},
      maxHistory: llm?.max_history ?? DEFAULT_MAX_HISTORY,
      labels,
      channel: properties.channel ?? null,
      idleTimeoutSeconds: properties.idle_timeout ?? 0,
      appId,
    };
    const said = isGreetingStored ? [greetingOf(greeting)] : [];
    try {
      return await this.turns.append({ ...start, tenantId }, null, said, (initialMessages, expectedSequence) =>
        this.startAgent.execute(tenantId, { ...start, initialMessages, expectedSequence }),
      );
    } catch (error) {
      if (!(error instanceof AgentNameTaken)) throw error;
      const filter = { appId, name, statuses: ['RUNNING'] } as const;
      const { rows } = await this.deps.agents.list(tenantId, filter, { limit: 1 });
      throw rows[0] === undefined ? error : new AgentNameTaken(rows[0].agentId);
    }
  }

  private async registeredMemory(tenantId: string, appId: string): Promise<string> {
    const app = await this.deps.vendorApps.find(tenantId, 'agora', appId);
    if (app === null) throw new MemoryLabelMissing();
    return app.memoryId;
  }
}

/** As in Agora's guide: the first turn, said by the agent. */
const greetingOf = (content: string): MessageAppended => ({
  payloadType: 'CONVERSATIONAL',
  role: 'assistant',
  content,
  metadata: { source: 'greeting' },
});
