import { text, route, type RouteSpec } from '@turnkeeper/contracts';
import { z } from 'zod';
import {
  agoraAppendQuery,
  agoraHistoryBody,
  agoraHistoryQuery,
  agoraInterruptBody,
  agoraJoinBody,
  agoraListQuery,
  agoraSpeakBody,
  agoraThinkBody,
  agoraTurnsQuery,
  agoraUpdateBody,
} from './bodies.js';
import {
  agoraActionView,
  agoraDetailView,
  agoraHistoryView,
  agoraListView,
  agoraRefusalView,
  agoraTaskView,
  agoraTurnsView,
  agoraUpdateView,
} from './views.js';

const project = '/api/conversational-ai-agent/v2/projects/{appId}';
const agents = `${project}/agents` as const;
const agent = `${agents}/{agentId}` as const;
const common = {
  tag: 'Agora',
  status: 200,
  refusal: agoraRefusalView,
  /** Also Agora's own ids, which are not UUIDs. */
  pathSchemas: { agentId: text(255, 1) },
} as const;
const write = { ...common, method: 'POST', scope: 'agents:write' } as const;
const read = { ...common, method: 'GET', scope: 'agents:read' } as const;

const ROUTES: readonly RouteSpec[] = [
  route({
    ...write,
    id: 'agoraJoin',
    path: `${project}/join`,
    summary: 'Start an agent.',
    body: agoraJoinBody,
    response: agoraTaskView,
  }),
  route({ ...write, id: 'agoraLeave', path: `${agent}/leave`, summary: 'Stop an agent.', response: null }),
  route({
    ...write,
    id: 'agoraUpdate',
    path: `${agent}/update`,
    summary: "Replace an agent's system messages or parameters.",
    body: agoraUpdateBody,
    response: agoraUpdateView,
  }),
  route({
    ...read,
    id: 'agoraHistory',
    path: `${agent}/history`,
    summary: "Get a running agent's conversation.",
    query: agoraHistoryQuery,
    response: agoraHistoryView,
  }),
  route({
    ...write,
    id: 'agoraAppend',
    path: `${agent}/history`,
    summary: 'Append what was said. Not part of Agora’s API, whose engine writes the history itself.',
    query: agoraAppendQuery,
    body: agoraHistoryBody,
    headers: { 'Idempotency-Key': z.string().optional().describe('Makes retries safe.') },
    response: agoraTaskView,
  }),
  route({
    ...read,
    id: 'agoraTurns',
    path: `${agent}/turns`,
    summary: "Get an agent's conversation by turns.",
    query: agoraTurnsQuery,
    response: agoraTurnsView,
  }),
  route({
    ...write,
    id: 'agoraSpeak',
    path: `${agent}/speak`,
    summary: 'Make the agent speak a text. Forwarded to the endpoints that subscribe to `agent.action`.',
    body: agoraSpeakBody,
    response: agoraActionView,
  }),
  route({
    ...write,
    id: 'agoraInterrupt',
    path: `${agent}/interrupt`,
    summary: 'Make the agent stop speaking and thinking. Forwarded to the endpoints that subscribe to `agent.action`.',
    body: agoraInterruptBody,
    response: agoraActionView,
  }),
  route({
    ...write,
    id: 'agoraThink',
    path: `${agent}/think`,
    summary:
      'Pass a text to the agent as if the user had said it. Forwarded to the endpoints that subscribe to `agent.action`.',
    body: agoraThinkBody,
    response: agoraActionView,
  }),
  route({ ...read, id: 'agoraQuery', path: agent, summary: 'Get one agent.', response: agoraDetailView }),
  route({
    ...read,
    id: 'agoraList',
    path: agents,
    summary: 'List the agents of a project.',
    query: agoraListQuery,
    response: agoraListView,
  }),
];

/** The supported routes of Agora's agent API. A request about no single agent reaches the agents of many users. */
export const AGORA_ROUTES: readonly RouteSpec[] = ROUTES.map((spec) => ({
  ...spec,
  userData: spec.path.includes('{agentId}') ? 'agent' : 'everyone',
}));
