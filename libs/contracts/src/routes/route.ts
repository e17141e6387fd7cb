import { z } from 'zod';
import { actorId, sessionId, text, uuid } from '../http/common.js';
import type { Scope } from './scopes.js';

/**
 * Whose data a route accesses. Determines the checks for a request that may not access everything: one on behalf of an
 * end user, identified by the runtime's headers, or one with a key of one memory or one actor. Only fields that the route
 * declares count (`declaredIn`); the same names elsewhere in a request have no meaning.
 *
 * - `tenant`: no data of any memory; open to every caller with the scope
 * - `none`: a memory, but no user's data
 * - `settings`: changes how a memory works for all users; for its operator, never on behalf of a user
 * - `actor`: the declared `actorId` must be that user
 * - `namespace`: the namespace in the query must belong to that user
 * - `namespaces`: the same for every record in the body
 * - `record`: the namespace of the record with this id must belong to that user
 * - `agent`: the agent with this id must belong to that user
 * - `resolved`: the handler resolves memory and user from several places of the request, and checks them itself
 * - `everyone`: data of many users; rejected
 * - `operator`: data of many users, behind a scope that no runtime has
 */
export type UserData =
  | 'tenant'
  | 'none'
  | 'settings'
  | 'actor'
  | 'namespace'
  | 'namespaces'
  | 'record'
  | 'agent'
  | 'resolved'
  | 'everyone'
  | 'operator';

/** One route of the API as data, used by guards, parsing, the OpenAPI document and the tests of all routes. */
export interface RouteSpec {
  /** Unique operation id, used as the method name in generated clients. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** OpenAPI path: `/memory/memories/{memoryId}`. Every parameter must be in `PATH_PARAMETERS`. */
  readonly path: string;
  readonly tag: string;
  /** One sentence for the documentation. */
  readonly summary: string;
  /** The scope that the client's key needs; null for a route with another kind of authentication. */
  readonly scope: Scope | null;
  /**
   * What a route without a scope needs: `any` valid key or token, or `none`. Absent: the request itself proves who sends
   * it, by a signature.
   */
  readonly credential?: 'any' | 'none';
  /** Absent: the route accepts no query parameters. */
  readonly query?: z.ZodType;
  /** Absent: the route accepts no body. */
  readonly body?: z.ZodType;
  /** Media type of a body that is read as a stream instead of one JSON value. */
  readonly bodyType?: 'application/x-ndjson';
  /** Maximum body size in bytes, if lower than the installation's limit. */
  readonly bodyBytes?: number;
  /** The handler receives the raw body, whatever its media type, because a signature covers those bytes. */
  readonly rawBody?: true;
  /** Request headers beyond `Authorization`. */
  readonly headers?: Readonly<Record<string, z.ZodType>>;
  readonly status: 200 | 201 | 202 | 204;
  /**
   * Path of the route that returns the created resource. Its parameters come from this route's path or its response.
   * Sent as `Location`.
   */
  readonly location?: string;
  /** The response is a resource with an `ETag`. Changes and DELETE honour `If-Match`, GET honours `If-None-Match`. */
  readonly versioned?: true;
  /** Null: the response has no body. */
  readonly response: z.ZodType | null;
  /** `text/event-stream`: the response stays open, and `response` is the data of each of its events. */
  readonly responseType?: 'application/x-ndjson' | 'text/event-stream';
  /** Schema of every error of a route that answers in a vendor's format. Absent: problem details. */
  readonly refusal?: z.ZodType;
  /** The vendor's API reports errors in the body, with status 200. */
  readonly refusalsAreInBody?: true;
  /** Schemas of path parameters that differ from `PATH_PARAMETERS`. */
  readonly pathSchemas?: Readonly<Record<string, z.ZodType>>;
  /** Whose data the route accesses. Absent: the table in `user-data.ts` says it. */
  readonly userData?: UserData;
  /** Error codes specific to this route, besides those common to all routes. */
  readonly refusals?: readonly string[];
}

/** Maximum body size in bytes of routes without a key, whose requests are signed: a vendor's callback or action. */
export const VENDOR_BODY_BYTES = 1_048_576;

/**
 * Whether the route honours `Idempotency-Key` by storing its first answer. Every POST that changes something does, except
 * those with their own way (`headers`), streamed bodies and routes of a vendor's API.
 */
export const storesFirstAnswer = ({
  method,
  scope,
  headers,
  bodyType,
  refusal,
}: Pick<RouteSpec, 'method' | 'scope' | 'headers' | 'bodyType' | 'refusal'>): boolean =>
  method === 'POST' &&
  scope !== null &&
  !scope.endsWith(':read') &&
  headers?.['Idempotency-Key'] === undefined &&
  bodyType === undefined &&
  refusal === undefined;

/** Preserves a route's literal types, so that its input is typed. */
export const route = <const R extends RouteSpec>(spec: R): R => spec;

type OtherParts = Omit<RouteSpec, 'id' | 'method' | 'path' | 'tag' | 'status'> & Partial<Pick<RouteSpec, 'status'>>;

const OK: Pick<RouteSpec, 'status'> = { status: 200 };

type Shared = Partial<Pick<RouteSpec, 'scope' | 'userData'>>;

/** Makes the routes of one tag, with what they share. Their status is 200 by default. */
export const routesOf =
  <const S extends Shared = Record<never, never>>(tag: string, shared: S = {} as S) =>
  <const Id extends string, const P extends string, const R extends Omit<OtherParts, keyof S>>(
    id: Id,
    method: RouteSpec['method'],
    path: P,
    parts: R,
  ) => ({ id, method, path, tag, ...OK, ...shared, ...parts });

export const noQuery = z.strictObject({});

/** Schemas of the path parameters. */
export const PATH_PARAMETERS = {
  memoryId: uuid,
  strategyId: uuid,
  actorId,
  sessionId,
  eventId: uuid,
  recordId: uuid,
  deletionId: uuid,
  agentId: uuid,
  endpointId: uuid,
  deliveryId: uuid,
  connectorId: uuid,
  tenantId: uuid,
  keyId: text(64, 1),
  parkedId: text(2_048, 1),
  vendor: text(64, 1),
  appId: text(128, 1),
} as const satisfies Readonly<Record<string, z.ZodType>>;
export type PathParameter = keyof typeof PATH_PARAMETERS;

/** The parameters of a route's path, in order. */
export const pathParameters = ({ path }: Pick<RouteSpec, 'path'>): PathParameter[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as PathParameter);

type PathOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & PathOf<Rest>
  : unknown;
type Parsed<S> = S extends z.ZodType ? z.infer<S> : undefined;

/** The parsed request as a handler receives it. */
export interface InputOf<R extends RouteSpec> {
  readonly path: PathOf<R['path']>;
  readonly query: R extends { readonly query: infer Q } ? Parsed<Q> : undefined;
  readonly body: R extends { readonly body: infer B } ? Parsed<B> : undefined;
}

/** The route's response as JSON. */
export type OutputOf<R extends RouteSpec> = R['response'] extends z.ZodType ? z.input<R['response']> : undefined;
