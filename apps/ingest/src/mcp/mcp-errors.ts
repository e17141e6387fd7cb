import { refusal } from '@turnkeeper/domain';

/** The request comes from a web page whose origin is not allowed. */
export class McpOriginRefused extends refusal('mcp.origin_refused', 'forbidden', {
  message: 'Pages of this origin may not use the MCP server.',
  title: 'The origin is not allowed.',
  field: 'Origin',
  rule: 'must be the origin of PUBLIC_URL, one of CORS_ORIGINS, or a loopback origin',
  next: 'Add the origin to CORS_ORIGINS of this server.',
}) {}

/** The request names a host that is not this server's: a sign of DNS rebinding. */
export class McpHostRefused extends refusal('mcp.host_refused', 'forbidden', {
  message: 'The MCP server is not served under this host name.',
  title: 'The host name is not allowed.',
  field: 'Host',
  rule: 'must be the host of PUBLIC_URL, one of MCP_ALLOWED_HOSTS, localhost or an IP address',
  next: 'Add the host name to MCP_ALLOWED_HOSTS of this server.',
}) {}
