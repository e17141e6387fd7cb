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
import { routesOf } from './route.js';

const route = routesOf('Agents');

export const startAgent = route('startAgent', 'POST', '/v1/agents', {
  summary: 'Start an agent in a memory, for an actor and a session.',
  scope: 'agents:write',
  body: startAgentBody,
  status: 201,
  location: '/v1/agents/{id}',
  response: agentView,
  refusals: ['agent.name_taken'],
});

export const getAgent = route('getAgent', 'GET', '/v1/agents/{agentId}', {
  summary: 'Get an agent.',
  scope: 'agents:read',
  versioned: true,
  response: agentView,
});

export const stopAgent = route('stopAgent', 'POST', '/v1/agents/{agentId}/stop', {
  summary: 'Stop a running agent and send its history webhook.',
  scope: 'agents:write',
  body: stopAgentBody,
  response: agentView,
  refusals: ['agent.not_running'],
});

export const listAgents = route('listAgents', 'GET', '/v1/agents', {
  summary: 'List agents, newest first.',
  scope: 'agents:read',
  query: listAgentsQuery,
  response: listOf(agentView),
});

export const updateAgent = route('updateAgent', 'POST', '/v1/agents/{agentId}/update', {
  summary: "Replace a running agent's system messages or parameters.",
  scope: 'agents:write',
  body: updateAgentBody,
  versioned: true,
  response: agentView,
  refusals: ['agent.not_running'],
});

export const failAgent = route('failAgent', 'POST', '/v1/agents/{agentId}/fail', {
  summary: 'Mark a running agent as failed and send its history webhook.',
  scope: 'agents:write',
  body: failAgentBody,
  response: agentView,
  refusals: ['agent.not_running'],
});

const repeatKey = {
  'Idempotency-Key': idempotencyKey
    .optional()
    .describe('Repeating the key with the same body returns the first response.'),
};

export const appendToAgent = route('appendToAgent', 'POST', '/v1/agents/{agentId}/messages', {
  summary: "Append messages to a running agent's conversation, all or none.",
  scope: 'agents:write',
  headers: repeatKey,
  body: appendToAgentBody,
  response: appendedToAgentView,
  refusals: ['agent.not_running', 'message.invalid', 'idempotency.body_differs', 'idempotency.content_erased'],
});

export const interruptAgent = route('interruptAgent', 'POST', '/v1/agents/{agentId}/interrupt', {
  summary: "Record an interruption: shorten the agent's last message to what was heard.",
  scope: 'agents:write',
  headers: repeatKey,
  body: interruptAgentBody,
  response: interruptedView,
  refusals: [
    'agent.not_running',
    'message.nothing_to_interrupt',
    'message.heard_too_much',
    'message.heard_differs',
    'idempotency.body_differs',
    'idempotency.content_erased',
  ],
});

export const resetAgent = route('resetAgent', 'POST', '/v1/agents/{agentId}/reset', {
  summary: "Clear the agent's context window. Its messages stay in its history.",
  scope: 'agents:write',
  body: resetAgentBody,
  status: 204,
  response: null,
  refusals: ['agent.not_running'],
});

export const getAgentHistory = route('getAgentHistory', 'GET', '/v1/agents/{agentId}/history', {
  summary: "Get an agent's whole history, oldest first.",
  scope: 'agents:read',
  response: agentHistoryView,
});

export const getLlmRequest = route('getLlmRequest', 'GET', '/v1/agents/{agentId}/llm-request', {
  summary: "Build the agent's next LLM request: system messages, long-term memory and context window.",
  scope: 'agents:read',
  query: llmRequestQuery,
  response: llmRequestView,
});
