import { mcpMessageBody, mcpQuery, mcpResponseView } from '../http/mcp.js';
import { routesOf } from './route.js';

const route = routesOf('MCP');

export const callMcp = route('callMcp', 'POST', '/mcp/{memoryId}', {
  summary: 'Send a message to the MCP server of a memory (Streamable HTTP, stateless).',
  scope: 'memory:read',
  query: mcpQuery,
  body: mcpMessageBody,
  bodyBytes: 1_048_576,
  response: mcpResponseView,
  refusals: ['mcp.origin_refused', 'mcp.host_refused'],
});
