import type { Ids, StartAgent, VendorAppStore } from '@turnkeeper/application';
import { labelBinding, parseOrRefuse, type AgoraJoinBody } from '@turnkeeper/contracts';
import { actorLabelOf, ActorLabelMissing, bindingOfLabels, MemoryLabelMissing, type Agent } from '@turnkeeper/domain';

/** Agora's `llm.max_history` when absent (their REST reference, `join`). */
const DEFAULT_MAX_HISTORY = 32;

/**
 * Starts an agent from Agora's `join`. Labels bind it: `memory_id` (default: the memory registered for the app),
 * `actor_id` or `user_id` (required), `session_id` (default: a new session named after the agent's id).
 */
export class JoinAgoraAgent {
  constructor(
    private readonly startAgent: StartAgent,
    private readonly deps: { readonly vendorApps: VendorAppStore; readonly ids: Ids },
  ) {}

  async execute(tenantId: string, appId: string, { name, properties }: AgoraJoinBody): Promise<Agent> {
    const { labels, llm, mllm } = properties;
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
    return this.startAgent.execute(tenantId, {
      agentId,
      memoryId: memory_id ?? (await this.registeredMemory(tenantId, appId)),
      actorId: actor_id,
      sessionId: session_id ?? agentId,
      name,
      vendor: llm?.vendor ?? 'openai',
      systemMessages: llm?.system_messages ?? [],
      params: llm?.params ?? mllm?.params ?? {},
      maxHistory: llm?.max_history ?? DEFAULT_MAX_HISTORY,
      labels,
      channel: properties.channel ?? null,
      idleTimeoutSeconds: properties.idle_timeout ?? 0,
      appId,
    });
  }

  private async registeredMemory(tenantId: string, appId: string): Promise<string> {
    const app = await this.deps.vendorApps.find(tenantId, 'agora', appId);
    if (app === null) throw new MemoryLabelMissing();
    return app.memoryId;
  }
}
