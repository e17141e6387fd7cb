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
  summary: 'Start an agent in a memory, for an actor and a session.',
  scope: 'agents:write',
  body: startAgentBody,
  status: 201,
  location: '/v1/agents/{id}',
  response: agentView,
  refusals: ['agent.name_taken'],
});

export const getAgent = route({
  id: 'getAgent',
  method: 'GET',
  path: '/v1/agents/{agentId}',
  tag,
  summary: 'Get an agent.',
  scope: 'agents:read',
  status: 200,
  versioned: true,
  response: agentView,
});

export const stopAgent = route({
  id: 'stopAgent',
  method: 'POST',
  path: '/v1/agents/{agentId}/stop',
  tag,
  summary: 'Stop a running agent and send its history webhook.',
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
  summary: 'List agents, newest first.',
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
  summary: "Replace a running agent's system messages or parameters.",
  scope: 'agents:write',
  body: updateAgentBody,
  status: 200,
  versioned: true,
  response: agentView,
  refusals: ['agent.not_running'],
});

export const failAgent = route({
  id: 'failAgent',
  method: 'POST',
  path: '/v1/agents/{agentId}/fail',
  tag,
  summary: 'Mark a running agent as failed and send its history webhook.',
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
  summary: "Append messages to a running agent's conversation, all or none.",
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
  summary: "Record an interruption: shorten the agent's last message to what was heard.",
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
  summary: "Clear the agent's context window. Its messages stay in its history.",
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
  summary: "Get an agent's whole history, oldest first.",
  scope: 'agents:read',
  status: 200,
  response: agentHistoryView,
});

export const getLlmRequest = route({
  id: 'getLlmRequest',
  method: 'GET',
  path: '/v1/agents/{agentId}/llm-request',
  tag,
  summary: "Build the agent's next LLM request: system messages, long-term memory and context window.",
  scope: 'agents:read',
  query: llmRequestQuery,
  status: 200,
  response: llmRequestView,
});
