import { z } from 'zod';
import { actorId, text } from './common.js';

export const mcpQuery = z.strictObject({
  actorId: actorId
    .optional()
    .describe(
      'Restricts the server to this actor, so the tools do not ask for it. Required for a key restricted to one actor.',
    ),
});

/** One JSON-RPC 2.0 message: a request, a notification (without `id`), or a response. Batches are not accepted. */
export const mcpMessageBody = z
  .strictObject({
    jsonrpc: z.literal('2.0'),
    method: text(128, 1).optional().describe('Method of a request or notification.'),
    id: z.union([z.string(), z.number()]).optional(),
    params: z.record(z.string(), z.unknown()).optional(),
    result: z.record(z.string(), z.unknown()).optional().describe('Of a response.'),
    error: z.record(z.string(), z.unknown()).optional().describe('Of a response.'),
  })
  .meta({ id: 'McpMessage' });

/** The response to a request. A notification is answered with 202 and no body. */
export const mcpResponseView = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number()]).nullable().optional(),
    result: z.record(z.string(), z.unknown()).optional(),
    error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }).optional(),
  })
  .meta({ id: 'McpResponse' });

/** OAuth protected resource metadata (RFC 9728). */
export interface ResourceMetadata {
  readonly resource: string;
  readonly authorization_servers?: readonly string[];
  readonly scopes_supported: readonly string[];
  readonly bearer_methods_supported: readonly string[];
  readonly resource_name: string;
}
