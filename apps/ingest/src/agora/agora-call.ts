import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { parseOrRefuse, PATH_PARAMETERS } from '@turnkeeper/contracts';
import type { FastifyRequest } from 'fastify';

export interface AgoraCall {
  readonly tenantId: string;
  readonly appId: string;
  /** The agent's id; empty for a request about no single agent. */
  readonly id: string;
  readonly query: unknown;
  readonly body: unknown;
  readonly key: string | undefined;
}

/** A request to Agora's API, with its project id validated as at registration. */
export const Call = createParamDecorator((_: unknown, context: ExecutionContext): AgoraCall => {
  const request = context.switchToHttp().getRequest<FastifyRequest & { readonly tenantId: string }>();
  const { tenantId, params, query, body, headers } = request;
  const { appId, agentId = '' } = params as { readonly appId: string; readonly agentId?: string };
  const key = headers['idempotency-key'] as string | undefined;
  return { tenantId, appId: parseOrRefuse('appid', PATH_PARAMETERS.appId, appId), id: agentId, query, body, key };
});
