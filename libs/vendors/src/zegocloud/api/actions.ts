import {
  contextOfAgent,
  requireRunning,
  type AgentStore,
  type AppendToAgent,
  type EventStore,
  type ResetAgent,
  type InstructAgent,
  type MostOf,
  type StopAgent,
  type UpdateAgent,
  type VendorAgentStore,
  type VendorApp,
} from '@turnkeeper/application';
import { parseOrRefuse, uuid } from '@turnkeeper/contracts';
import { AgentNotFound, isAssistantRole, isUserRole, type Agent, type MessageEvent } from '@turnkeeper/domain';
import { zegoAgentActions } from './agent-actions.js';
import { zegoAddBody, zegoCreateBody, zegoInstanceBody, zegoUpdateBody } from './bodies.js';
import {
  messageOfZego,
  paramsOf,
  systemMessagesOf,
  type CreateZegoInstance,
  type ZegoMessage,
} from './create-instance.js';

const ONCE = { fingerprint: () => '' };

/** The context in ZEGOCLOUD's format: users and agents only. */
const messageList = (messages: readonly MessageEvent[]): ZegoMessage[] =>
  messages.flatMap(({ data }) => {
    if (isUserRole(data.role)) return [{ Role: 'user', Content: data.content }];
    return isAssistantRole(data.role) ? [{ Role: 'assistant', Content: data.content }] : [];
  });

/** What the newest message tells: an engine alone knows whether it is speaking. */
const statusOf = (newest: MessageEvent | undefined): 'IDLE' | 'LISTENING' | 'THINKING' => {
  if (newest === undefined) return 'IDLE';
  return isUserRole(newest.data.role) ? 'THINKING' : 'LISTENING';
};

/** The memory-related actions of ZEGOCLOUD's agent API, by name. Each returns its `Data`, or nothing. */
export const zegoActions = (deps: {
  readonly agents: AgentStore;
  readonly vendorAgents: VendorAgentStore;
  readonly mostAgents: MostOf;
  readonly eventStore: EventStore;
  readonly create: CreateZegoInstance;
  readonly stopAgent: StopAgent;
  readonly appendToAgent: AppendToAgent;
  readonly resetAgent: ResetAgent;
  readonly updateAgent: UpdateAgent;
  readonly instructAgent: InstructAgent;
}): Readonly<Record<string, (app: VendorApp, body: unknown) => Promise<object | undefined>>> => {
  /** Returns a running instance of this app. An instance of another app counts as unknown. */
  const instanceOf = async ({ tenantId, appId }: VendorApp, id: string): Promise<Agent> => {
    const parsed = uuid.safeParse(id);
    if (!parsed.success) throw new AgentNotFound();
    const agent = await requireRunning(deps.agents, tenantId, parsed.data);
    if (agent.appId !== appId) throw new AgentNotFound();
    return agent;
  };
  const named = async (app: VendorApp, body: unknown): Promise<Agent> =>
    instanceOf(app, parseOrRefuse('body', zegoInstanceBody, body).AgentInstanceId);

  return {
    ...zegoAgentActions(deps.vendorAgents, deps.mostAgents),
    CreateAgentInstance: async (app, body) => {
      const agent = await deps.create.execute(app, parseOrRefuse('body', zegoCreateBody, body));
      return { AgentInstanceId: agent.agentId };
    },
    DeleteAgentInstance: async (app, body) => {
      const { agentId } = await named(app, body);
      await deps.stopAgent.execute(app.tenantId, agentId, 'requested');
      return undefined;
    },
    UpdateAgentInstance: async (app, body) => {
      const { AgentInstanceId, LLM } = parseOrRefuse('body', zegoUpdateBody, body);
      const { agentId } = await instanceOf(app, AgentInstanceId);
      if (LLM == null) return undefined;
      const change = { systemMessages: systemMessagesOf(LLM), params: paramsOf(LLM) };
      await deps.updateAgent.execute(app.tenantId, agentId, change);
      return undefined;
    },
    QueryAgentInstanceStatus: async (app, body) => {
      const context = await contextOfAgent(deps.eventStore, await named(app, body));
      return { Status: statusOf(context.at(-1)) };
    },
    InterruptAgentInstance: async (app, body) => {
      const { agentId } = await named(app, body);
      await deps.instructAgent.execute(app.tenantId, agentId, { action: 'interrupt', text: null, options: {} });
      return undefined;
    },
    GetAgentInstanceMsgList: async (app, body) => {
      const MessageList = messageList(await contextOfAgent(deps.eventStore, await named(app, body)));
      return { Total: MessageList.length, MessageList };
    },
    AddAgentInstanceMsg: async (app, body) => {
      const { AgentInstanceId, Messages } = parseOrRefuse('body', zegoAddBody, body);
      const { agentId } = await instanceOf(app, AgentInstanceId);
      const messages = Messages.map((message) => messageOfZego(message, 'command'));
      await deps.appendToAgent.execute(app.tenantId, agentId, messages, ONCE, 'Messages.');
      return undefined;
    },
    ResetAgentInstanceMsgList: async (app, body) => {
      const { agentId } = await named(app, body);
      await deps.resetAgent.execute(app.tenantId, agentId, 'requested');
      return undefined;
    },
  };
};
