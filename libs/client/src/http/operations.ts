import type { paths } from '../api/openapi.generated.js';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Path templates that have this method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: object }> ? P : never;
}[keyof paths];

export type Operation<M extends Method, P extends PathOf<M>> = paths[P] extends Record<M, infer O> ? O : never;

type Parameters<O, Place extends string> = O extends { parameters: Partial<Record<Place, infer A>> }
  ? NonNullable<A>
  : never;

/** The API's flags are texts in a URL, and booleans here. */
type WithFlags<Q> = { [K in keyof Q]: [Exclude<Q[K], undefined>] extends ['true' | 'false'] ? boolean : Q[K] };

type PathParameters<O> = Parameters<O, 'path'>;
export type Query<O> = WithFlags<Parameters<O, 'query'>>;
export type Body<O> = O extends { requestBody?: infer B }
  ? NonNullable<B> extends { content: { 'application/json': infer J } }
    ? J
    : NonNullable<B> extends { content: { 'application/x-ndjson': infer T } }
      ? T
      : never
  : never;

type Content<R> = R extends { content: infer C }
  ? C extends { 'application/json': infer J }
    ? J
    : undefined
  : undefined;
type Success<R> = R extends { 200: infer A }
  ? A
  : R extends { 201: infer A }
    ? A
    : R extends { 202: infer A }
      ? A
      : undefined;
export type Result<O> = O extends { responses: infer R } ? Content<Success<R>> : never;

type OrLess<K extends string, V> = [V] extends [never]
  ? { readonly [N in K]?: undefined }
  : Record<never, never> extends V
    ? { readonly [N in K]?: V | undefined }
    : { readonly [N in K]: V };

/** What an operation takes. */
export type Input<O> = OrLess<'path', PathParameters<O>> & OrLess<'query', Query<O>> & OrLess<'body', Body<O>>;
