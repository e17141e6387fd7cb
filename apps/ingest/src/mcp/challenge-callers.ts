import type { FastifyInstance, FastifyRequest } from 'fastify';
import { specOf, type EdgeConfig } from '../edge/route-config.js';
import type { McpGate } from './mcp-gate.js';

/** A request whose caller lacks a scope of the tool it calls, rather than that of the route. */
export type Challenged = FastifyRequest & { missingScope?: string };

/**
 * Names the resource metadata in `WWW-Authenticate` of 401 and 403 responses of the MCP route, so that clients can find
 * the authorization server (RFC 9728). Call before routes are registered.
 */
export const challengeMcpCallers = (server: FastifyInstance, gate: McpGate): void => {
  server.addHook('onRoute', (route) => {
    if ((route.config as EdgeConfig | undefined)?.spec?.id !== 'callMcp') return;
    route.onSend = (request, reply, payload, done) => {
      const { memoryId = '' } = request.params as Readonly<Record<string, string>>;
      const challenge = challengeOf(request, reply.statusCode);
      if (challenge !== null) {
        void reply.header('www-authenticate', `${challenge} resource_metadata="${gate.metadataUrl(memoryId)}"`);
      }
      done(null, payload);
    };
  });
};

/** The challenge of RFC 6750; null if another credential would not help. */
const challengeOf = (request: FastifyRequest, status: number): string | null => {
  if (status === 401) return 'Bearer';
  const { problemCode, missingScope } = request as Challenged & { problemCode?: string };
  if (status !== 403 || problemCode !== 'auth.missing_scope') return null;
  return `Bearer error="insufficient_scope", scope="${missingScope ?? specOf(request)?.scope ?? ''}",`;
};
