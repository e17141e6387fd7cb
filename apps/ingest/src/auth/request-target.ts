import {
  declaredIn,
  noQuery,
  parseOrRefuse,
  type RouteSpec,
  type SubjectField,
  type UserData,
} from '@turnkeeper/contracts';
import { apiRoute, userDataOf } from '@turnkeeper/vendors';
import type { FastifyRequest } from 'fastify';
import { specOf } from '../edge/route-config.js';

type Parts = Readonly<Record<string, unknown>>;

/**
 * What a request is about, from the fields that its route declares, after they were parsed. Other places of a request
 * that have the same names do not count.
 */
export interface RequestTarget {
  readonly kind: UserData;
  /** The memory of the path; empty without one. */
  readonly memoryId: string;
  /** Every declared value, so that a request that names two is about both. */
  readonly memoryIds: readonly string[];
  readonly actorIds: readonly string[];
  readonly sessionIds: readonly string[];
  readonly namespaces: readonly string[];
  readonly recordId: string;
  readonly agentId: string;
}

/** Throws `InvalidPayload` if a part that declares such a field is not valid. */
export const targetOf = (request: FastifyRequest): RequestTarget => {
  const { id } = specOf(request) ?? {};
  const spec = apiRoute(id);
  const kind = userDataOf(id);
  const path = request.params as Readonly<Record<string, string>>;
  const { memoryId = '', recordId = '', agentId = '' } = path;
  const place = { memoryId: memoryId.toLowerCase(), recordId, agentId };
  if (spec === undefined) {
    return { kind, ...place, memoryIds: [], actorIds: [], sessionIds: [], namespaces: [] };
  }
  const parts = parsedParts(spec, request);
  const named = (field: SubjectField): string[] => valuesOf(spec, field, { path, ...parts });
  return {
    kind,
    ...place,
    memoryIds: named('memoryId').map((id) => id.toLowerCase()),
    actorIds: named('actorId'),
    sessionIds: named('sessionId'),
    namespaces: namespacesOf(kind, parts),
  };
};

const SUBJECTS = ['memoryId', 'actorId', 'sessionId'] as const;
/** Routes of other kinds name what they are about in their paths. */
const NAMED_BESIDE_PATH: ReadonlySet<UserData> = new Set(['actor', 'namespace', 'namespaces']);

/** Parses the query and the body only if they say what the request is about. */
const parsedParts = (spec: RouteSpec, request: FastifyRequest): { readonly query: Parts; readonly body: Parts } => {
  const kind = userDataOf(spec.id);
  const says = (part: 'query' | 'body'): boolean =>
    NAMED_BESIDE_PATH.has(kind) &&
    (SUBJECTS.some((field) => declaredIn(spec, field)[part]) ||
      kind === (part === 'query' ? 'namespace' : 'namespaces'));
  const parsed = (part: 'query' | 'body'): Parts =>
    says(part) ? (parseOrRefuse(part, spec[part] ?? noQuery, request[part]) as Parts) : {};
  return { query: parsed('query'), body: parsed('body') };
};

const valuesOf = (
  spec: RouteSpec,
  field: SubjectField,
  parts: { readonly path: Parts; readonly query: Parts; readonly body: Parts },
): string[] => {
  const declared = declaredIn(spec, field);
  return (['path', 'query', 'body'] as const)
    .filter((part) => declared[part])
    .flatMap((part) => {
      const value = parts[part][field];
      return typeof value === 'string' ? [value] : [];
    });
};

const namespacesOf = (kind: UserData, { query, body }: { readonly query: Parts; readonly body: Parts }): string[] => {
  if (kind === 'namespace') return typeof query['namespace'] === 'string' ? [query['namespace']] : [];
  if (kind !== 'namespaces') return [];
  return (body['records'] as readonly { readonly namespace: string }[]).map(({ namespace }) => namespace);
};
