import type { FastifyRequest } from 'fastify';

export type Parts = Readonly<Record<string, unknown>>;

/** Looks up the owner. Null if it does not exist; the route reports that. */
export interface Owners {
  strategies(
    tenantId: string,
    memoryId: string,
  ): Promise<readonly { readonly strategyId: string; readonly namespaceTemplate: string }[]>;
  namespaceOfRecord(tenantId: string, memoryId: string, recordId: string): Promise<string | null>;
  agent(tenantId: string, agentId: string): Promise<{ readonly memoryId: string; readonly actorId: string } | null>;
}

export const isParts = (value: unknown): value is Parts => typeof value === 'object' && value !== null;

/** Every value given for this id in the path, the query and the top level of the body. */
export const named = ({ params, query, body }: FastifyRequest, id: 'memoryId' | 'actorId' | 'sessionId'): unknown[] =>
  [params, query, body]
    .filter(isParts)
    .map((parts) => parts[id])
    .filter((value) => value !== undefined);
/** Namespaces of a body with records; a malformed one counts as unreachable for any user. */
export const namespacesIn = (body: unknown): unknown[] => {
  const records = isParts(body) ? body['records'] : undefined;
  return Array.isArray(records)
    ? records.map((record: unknown) => (isParts(record) ? record['namespace'] : undefined))
    : [];
};
