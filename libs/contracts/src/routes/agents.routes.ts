import { agentView } from '../http/agent-views.js';
import { startAgentBody, stopAgentBody } from '../http/agents.js';
import { route } from './route.js';

const tag = 'Agents';

export const startAgent = route({
  id: 'startAgent',
  method: 'POST',
  path: '/v1/agents',
  tag,
  summary: 'Starts an agent, bound to a memory, an actor and a session.',
  scope: 'agents:write',
  body: startAgentBody,
  status: 201,
  response: agentView,
  refusals: ['agent.name_taken'],
});

export const getAgent = route({
  id: 'getAgent',
  method: 'GET',
  path: '/v1/agents/{agentId}',
  tag,
  summary: 'Gives one agent.',
  scope: 'agents:read',
  status: 200,
  response: agentView,
});

export const stopAgent = route({
  id: 'stopAgent',
  method: 'POST',
  path: '/v1/agents/{agentId}/stop',
  tag,
  summary: 'Stops a running agent; its history webhook follows.',
  scope: 'agents:write',
  body: stopAgentBody,
  status: 200,
  response: agentView,
  refusals: ['agent.not_running'],
});
