import type { FastifyRequest } from 'fastify';

export type Parts = Readonly<Record<string, unknown>>;

/** Looks up whose something is. Null: it does not exist, and the route says so itself. */
export interface Owners {
  strategies(
    tenantId: string,
    memoryId: string,
  ): Promise<readonly { readonly strategyId: string; readonly namespaceTemplate: string }[]>;
  namespaceOfRecord(tenantId: string, memoryId: string, recordId: string): Promise<string | null>;
  agent(tenantId: string, agentId: string): Promise<{ readonly memoryId: string; readonly actorId: string } | null>;
}

export const isParts = (value: unknown): value is Parts => typeof value === 'object' && value !== null;

/** Every value that a request gives for this id, in its path, its query and at the top of its body. */
export const named = ({ params, query, body }: FastifyRequest, id: 'memoryId' | 'actorId' | 'sessionId'): unknown[] =>
  [params, query, body]
    .filter(isParts)
    .map((parts) => parts[id])
    .filter((value) => value !== undefined);
/** The namespaces of a body with records; one that is malformed counts as one that no user may reach. */
export const namespacesIn = (body: unknown): unknown[] => {
  const records = isParts(body) ? body['records'] : undefined;
  return Array.isArray(records)
    ? records.map((record: unknown) => (isParts(record) ? record['namespace'] : undefined))
    : [];
};
