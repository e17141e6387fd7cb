import { mcpMessageBody, mcpQuery, mcpResponseView } from '../http/mcp.js';
import { route } from './route.js';

export const callMcp = route({
  id: 'callMcp',
  method: 'POST',
  path: '/mcp/{memoryId}',
  tag: 'MCP',
  summary: 'Send a message to the MCP server of a memory (Streamable HTTP, stateless).',
  scope: 'memory:read',
  query: mcpQuery,
  body: mcpMessageBody,
  bodyBytes: 1_048_576,
  status: 200,
  response: mcpResponseView,
  refusals: ['mcp.origin_refused', 'mcp.host_refused'],
});
