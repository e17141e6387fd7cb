import type { MostOf, VendorAgent, VendorAgentStore, VendorApp } from '@turnkeeper/application';
import { parseOrRefuse } from '@turnkeeper/contracts';
import { TooManyVendorAgents } from '@turnkeeper/domain';
import {
  zegoAgentBody,
  zegoListAgentsBody,
  zegoQueryAgentsBody,
  zegoRegisterBody,
  zegoUpdateAgentBody,
  type ZegoLlm,
} from './bodies.js';
import { ZEGO_CODES, ZegoRefusal } from './codes.js';

/** ZEGOCLOUD's default, also for 0. */
const DEFAULT_LIMIT = 5;

/** The model's configuration as given, without its key. */
const keptOf = ({ ApiKey: _, ...llm }: ZegoLlm): VendorAgent['llm'] => llm as VendorAgent['llm'];

/** The speech configuration is not kept: it holds keys and belongs to the speech engine. */
const profileOf = ({ agentId, name, llm }: VendorAgent) => ({
  AgentId: agentId,
  Name: name,
  LLM: llm,
  TTS: {},
  ASR: {},
});

const requireAgent = (exists: boolean): undefined => {
  if (!exists) throw new ZegoRefusal(ZEGO_CODES.agentMissing, 'The agent does not exist.');
};

type ZegoAction = (app: VendorApp, body: unknown) => Promise<object | undefined>;

/** Agent profiles: what CreateAgentInstance uses if it names no language model. */
export const zegoAgentActions = (
  store: VendorAgentStore,
  mostAgents: MostOf,
): Readonly<Record<string, ZegoAction>> => ({
  RegisterAgent: async (app, body) => {
    const { AgentId, Name, LLM } = parseOrRefuse('body', zegoRegisterBody, body);
    const most = await mostAgents(app.tenantId);
    const added = await store.add(app, { agentId: AgentId, name: Name ?? '', llm: keptOf(LLM) }, most);
    if (added === 'full') throw new TooManyVendorAgents(most ?? 0);
    if (added === 'exists') throw new ZegoRefusal(ZEGO_CODES.agentExists, 'The agent already exists.');
    return undefined;
  },
  UpdateAgent: async (app, body) => {
    const { AgentId, Name, LLM } = parseOrRefuse('body', zegoUpdateAgentBody, body);
    const change = { ...(Name == null ? {} : { name: Name }), ...(LLM == null ? {} : { llm: keptOf(LLM) }) };
    return requireAgent(await store.change(app, AgentId, change));
  },
  UnregisterAgent: async (app, body) =>
    requireAgent(await store.remove(app, parseOrRefuse('body', zegoAgentBody, body).AgentId)),
  QueryAgents: async (app, body) => {
    const { AgentIds } = parseOrRefuse('body', zegoQueryAgentsBody, body);
    return { Agents: (await store.find(app, AgentIds)).map(profileOf) };
  },
  ListAgents: async (app, body) => {
    const { Limit, Cursor } = parseOrRefuse('body', zegoListAgentsBody, body);
    const limit = Limit || DEFAULT_LIMIT;
    // One more tells whether another page follows.
    const { total, agents } = await store.list(app, { after: Cursor ?? '', limit: limit + 1 });
    const page = agents.slice(0, limit);
    return {
      Total: total,
      Agents: page.map(profileOf),
      Cursor: agents.length > limit ? page.at(-1)?.agentId : '',
    };
  },
});
