import { reachesNamespace, type NamespaceSource, type Reach } from '@turnkeeper/domain';
import type { RequestTarget } from './request-target.js';

/** Looks up owners. Null if it does not exist; the route reports that. */
export interface Owners {
  strategies(tenantId: string, memoryId: string): Promise<readonly NamespaceSource[]>;
  namespaceOfRecord(tenantId: string, memoryId: string, recordId: string): Promise<string | null>;
  agent(tenantId: string, agentId: string): Promise<{ readonly memoryId: string; readonly actorId: string } | null>;
}

/** The field whose value is out of reach; `everyone` if the request is about more than the caller reaches. */
export type Beyond = 'memoryId' | 'actorId' | 'sessionId' | 'namespace' | 'recordId' | 'agentId' | 'everyone';

/** What of a request the caller does not reach; null if it reaches everything. */
export const beyondReach = async (target: RequestTarget, reach: Reach, owners: Owners): Promise<Beyond | null> => {
  // The handler of a `resolved` request checks what it resolved.
  if (target.kind === 'tenant' || target.kind === 'resolved') return null;
  if (target.kind === 'operator') return 'everyone';
  const agent = target.kind === 'agent' ? await owners.agent(reach.tenantId, target.agentId) : undefined;
  if (agent === null) return null;
  if (reach.memoryId !== null) {
    const memories = [...target.memoryIds, ...(agent === undefined ? [] : [agent.memoryId])];
    if (memories.length === 0 || memories.some((id) => id !== reach.memoryId)) return 'memoryId';
  }
  if (reach.actorId === null) return null;
  if (target.actorIds.some((id) => id !== reach.actorId)) return 'actorId';
  if (reach.sessionId !== null && target.sessionIds.some((id) => id !== reach.sessionId)) return 'sessionId';
  if (agent !== undefined) return agent.actorId === reach.actorId ? null : 'agentId';
  return beyondActor(target, reach, owners);
};

const beyondActor = async (target: RequestTarget, reach: Reach, owners: Owners): Promise<Beyond | null> => {
  const { kind, memoryId, namespaces } = target;
  switch (kind) {
    case 'none':
      // A key of one actor is made for an application that knows its memory: it lists no others.
      return reach.sessionId === null && memoryId === '' ? 'everyone' : null;
    case 'actor':
      return target.actorIds.length > 0 ? null : 'actorId';
    case 'namespace':
    case 'namespaces': {
      const strategies = await owners.strategies(reach.tenantId, memoryId);
      const reached = namespaces.filter((namespace) => reachesNamespace(reach, strategies, namespace));
      return namespaces.length > 0 && reached.length === namespaces.length ? null : 'namespace';
    }
    case 'record': {
      const namespace = await owners.namespaceOfRecord(reach.tenantId, memoryId, target.recordId);
      if (namespace === null) return null;
      const strategies = await owners.strategies(reach.tenantId, memoryId);
      return reachesNamespace(reach, strategies, namespace) ? null : 'recordId';
    }
    default:
      return 'everyone';
  }
};
