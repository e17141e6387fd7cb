import { z } from 'zod';
import type { RouteSpec } from './route.js';

/** Fields by which a request names what it is about. */
export type SubjectField = 'memoryId' | 'actorId' | 'sessionId';

type Schema = z.core.$ZodType;

/** Fields that a query or body schema declares at its top level. */
const fieldsOf = (schema: Schema | undefined): ReadonlySet<string> => {
  if (schema === undefined) return new Set();
  if (schema instanceof z.ZodObject) return new Set(Object.keys(schema.shape));
  if (schema instanceof z.ZodUnion) return new Set(schema.options.flatMap((option) => [...fieldsOf(option)]));
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.out);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return fieldsOf(schema.unwrap());
  }
  return new Set();
};

/** The parts of a request that declare this field. Elsewhere in the request it has no meaning. */
export interface DeclaredIn {
  readonly path: boolean;
  readonly query: boolean;
  readonly body: boolean;
}

/** Where a route's path and schemas declare a field. */
export const declaredIn = (
  { path, query, body, bodyType }: Pick<RouteSpec, 'path' | 'query' | 'body' | 'bodyType'>,
  field: SubjectField,
): DeclaredIn => ({
  path: path.includes(`{${field}}`),
  query: fieldsOf(query).has(field),
  body: bodyType === undefined && fieldsOf(body).has(field),
});
