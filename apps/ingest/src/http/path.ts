import {
  actorId,
  parseOrRefuse,
  PATH_PARAMETERS,
  pathParameters,
  sessionId,
  uuid,
  type PathParameter,
  type RouteSpec,
} from '@turnkeeper/contracts';
import {
  AgentNotFound,
  ConnectorNotFound,
  DeliveryNotFound,
  EventNotFound,
  MemoryNotFound,
  RecordDeletionNotFound,
  RecordNotFound,
  StrategyNotFound,
  TenantNotFound,
  WebhookEndpointNotFound,
  type DomainError,
} from '@turnkeeper/domain';
import type { SessionScope } from '@turnkeeper/application';
import type { z } from 'zod';

/** An invalid id gets the same response as an unknown one. */
const NOT_FOUND: Partial<Record<PathParameter, new () => DomainError>> = {
  memoryId: MemoryNotFound,
  strategyId: StrategyNotFound,
  agentId: AgentNotFound,
  eventId: EventNotFound,
  recordId: RecordNotFound,
  deletionId: RecordDeletionNotFound,
  tenantId: TenantNotFound,
  endpointId: WebhookEndpointNotFound,
  connectorId: ConnectorNotFound,
  deliveryId: DeliveryNotFound,
};

/** The path's parameters, decoded and validated; UUIDs in lower case. */
export const parsePath = (
  route: Pick<RouteSpec, 'path' | 'pathSchemas'>,
  params: Readonly<Record<string, string>>,
): Record<string, string> => {
  const parsed: Record<string, string> = {};
  for (const name of pathParameters(route)) {
    const value = params[name];
    const NotFound = NOT_FOUND[name];
    if (NotFound === undefined) {
      parsed[name] = parseOrRefuse(
        name,
        (route.pathSchemas?.[name] ?? PATH_PARAMETERS[name]) as z.ZodType<string>,
        value,
      );
      continue;
    }
    const result = PATH_PARAMETERS[name].safeParse(value);
    if (!result.success) throw new NotFound();
    parsed[name] = result.data.toLowerCase();
  }
  return parsed;
};

/** The memory id of a path, for controllers that read their paths themselves. */
const memoryIdOf = (value: string): string => {
  const parsed = uuid.safeParse(value);
  if (!parsed.success) throw new MemoryNotFound();
  return parsed.data.toLowerCase();
};

export const sessionScopeOf = (
  tenantId: string,
  path: { readonly memoryId: string; readonly actorId: string; readonly sessionId: string },
): SessionScope => ({
  tenantId,
  memoryId: memoryIdOf(path.memoryId),
  actorId: parseOrRefuse('actorId', actorId, path.actorId),
  sessionId: parseOrRefuse('sessionId', sessionId, path.sessionId),
});
