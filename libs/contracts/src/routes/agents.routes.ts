import {
  agentHistoryView,
  agentView,
  appendedToAgentView,
  interruptedView,
  llmRequestView,
} from '../http/agent-views.js';
import {
  appendToAgentBody,
  failAgentBody,
  interruptAgentBody,
  listAgentsQuery,
  llmRequestQuery,
  resetAgentBody,
  startAgentBody,
  stopAgentBody,
  updateAgentBody,
} from '../http/agents.js';
import { idempotencyKey } from '../http/events.js';
import { listOf } from '../http/paging.js';
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
  location: '/v1/agents/{agentId}',
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

export const listAgents = route({
  id: 'listAgents',
  method: 'GET',
  path: '/v1/agents',
  tag,
  summary: 'Lists agents, newest first.',
  scope: 'agents:read',
  query: listAgentsQuery,
  status: 200,
  response: listOf(agentView),
});

export const updateAgent = route({
  id: 'updateAgent',
  method: 'POST',
  path: '/v1/agents/{agentId}/update',
  tag,
  summary: "Replaces a running agent's system messages or parameters.",
  scope: 'agents:write',
  body: updateAgentBody,
  status: 200,
  response: agentView,
  refusals: ['agent.not_running'],
});

export const failAgent = route({
  id: 'failAgent',
  method: 'POST',
  path: '/v1/agents/{agentId}/fail',
  tag,
  summary: 'Notes that a running agent has failed; its history webhook follows.',
  scope: 'agents:write',
  body: failAgentBody,
  status: 200,
  response: agentView,
  refusals: ['agent.not_running'],
});

const repeatKey = {
  'Idempotency-Key': idempotencyKey.optional().describe('The same key and body again give the first answer.'),
};

export const appendToAgent = route({
  id: 'appendToAgent',
  method: 'POST',
  path: '/v1/agents/{agentId}/messages',
  tag,
  summary: 'Appends messages to the conversation of a running agent, all or none.',
  scope: 'agents:write',
  headers: repeatKey,
  body: appendToAgentBody,
  status: 200,
  response: appendedToAgentView,
  refusals: ['agent.not_running', 'message.invalid', 'idempotency.body_differs'],
});

export const interruptAgent = route({
  id: 'interruptAgent',
  method: 'POST',
  path: '/v1/agents/{agentId}/interrupt',
  tag,
  summary: 'Notes that the agent was cut short: shortens its last message to what was heard.',
  scope: 'agents:write',
  headers: repeatKey,
  body: interruptAgentBody,
  status: 200,
  response: interruptedView,
  refusals: ['agent.not_running', 'message.nothing_to_interrupt', 'message.heard_too_much', 'idempotency.body_differs'],
});

export const resetAgent = route({
  id: 'resetAgent',
  method: 'POST',
  path: '/v1/agents/{agentId}/reset',
  tag,
  summary: "Empties the agent's window; its messages stay in its history.",
  scope: 'agents:write',
  body: resetAgentBody,
  status: 204,
  response: null,
  refusals: ['agent.not_running'],
});

export const getAgentHistory = route({
  id: 'getAgentHistory',
  method: 'GET',
  path: '/v1/agents/{agentId}/history',
  tag,
  summary: 'Gives all that the agent heard and said, oldest first.',
  scope: 'agents:read',
  status: 200,
  response: agentHistoryView,
});

export const getLlmRequest = route({
  id: 'getLlmRequest',
  method: 'GET',
  path: '/v1/agents/{agentId}/llm-request',
  tag,
  summary: "Makes the request that the agent's model is to get next: system messages, long-term memory, window.",
  scope: 'agents:read',
  query: llmRequestQuery,
  status: 200,
  response: llmRequestView,
});
