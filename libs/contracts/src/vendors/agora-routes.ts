import { z } from 'zod';
import { route, type RouteSpec } from '../routes/route.js';
import { agoraHistoryBody, agoraJoinBody, agoraListQuery, agoraUpdateBody } from './agora-agents.js';

const project = '/api/conversational-ai-agent/v2/projects/{appId}';
const agents = `${project}/agents` as const;
const agent = `${agents}/{agentId}` as const;
const write = { method: 'POST', tag: 'Agora', scope: 'agents:write', status: 200, response: z.unknown() } as const;
const read = { method: 'GET', tag: 'Agora', scope: 'agents:read', status: 200, response: z.unknown() } as const;

/**
 * The supported routes of Agora's agent API. Agora documents their bodies, so they are not part of our OpenAPI
 * document; they are listed here for the tests that apply to every route.
 */
export const AGORA_ROUTES: readonly RouteSpec[] = [
  route({ ...write, id: 'agoraJoin', path: `${project}/join`, summary: 'Starts an agent.', body: agoraJoinBody }),
  route({ ...write, id: 'agoraLeave', path: `${agent}/leave`, summary: 'Stops an agent.' }),
  route({ ...write, id: 'agoraUpdate', path: `${agent}/update`, summary: 'Changes an agent.', body: agoraUpdateBody }),
  route({ ...read, id: 'agoraHistory', path: `${agent}/history`, summary: "Gives an agent's conversation." }),
  route({ ...write, id: 'agoraAppend', path: `${agent}/history`, summary: 'Adds messages.', body: agoraHistoryBody }),
  route({ ...read, id: 'agoraQuery', path: agent, summary: 'Gives one agent.' }),
  route({ ...read, id: 'agoraList', path: agents, summary: 'Lists agents.', query: agoraListQuery }),
];
