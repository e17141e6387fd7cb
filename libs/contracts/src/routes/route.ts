import { z } from 'zod';
import { actorId, sessionId, text, uuid } from '../http/common.js';
import type { Scope } from './scopes.js';

/** One route of the API, as data: guards, parsing, the OpenAPI document and the tests of every route read it. */
export interface RouteSpec {
  /** Name of the operation, unique; what a generated client calls it. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As OpenAPI writes it: `/memory/memories/{memoryId}`. Every name between braces is in `PATH_PARAMETERS`. */
  readonly path: string;
  readonly tag: string;
  /** One sentence for people. */
  readonly summary: string;
  /** What the caller's key must allow; null for a route that knows its caller in another way. */
  readonly scope: Scope | null;
  /** Absent: no query parameter is known. */
  readonly query?: z.ZodType;
  /** Absent: the route takes no body. */
  readonly body?: z.ZodType;
  /** Media type of a body that is read as a stream and not as one JSON value. */
  readonly bodyType?: 'application/x-ndjson';
  /** Largest body in bytes, where that is less than the installation's own limit. */
  readonly bodyBytes?: number;
  /** The handler gets the body as it came, whatever its media type: a signature is made over those bytes. */
  readonly rawBody?: true;
  /** Request headers beyond `Authorization`. */
  readonly headers?: Readonly<Record<string, z.ZodType>>;
  readonly status: 200 | 201 | 202 | 204;
  /**
   * Where what was created can be read: the path of a route, whose names between braces are of this route's path or of
   * its answer. Sent as `Location`.
   */
  readonly location?: string;
  /** The answer is a resource with an `ETag`; a change honours `If-Match`, a GET `If-None-Match`. */
  readonly versioned?: true;
  /** Null: the answer has no body. */
  readonly response: z.ZodType | null;
  readonly responseType?: 'application/x-ndjson';
  /** Codes of refusals that are this route's own, beyond those that every route can give. */
  readonly refusals?: readonly string[];
}

/** Largest body of a route that takes requests without a key, whose senders sign them: a vendor's callback or action. */
export const VENDOR_BODY_BYTES = 1_048_576;

/** Keeps the literal types of a route, so that its input is typed. */
export const route = <const R extends RouteSpec>(spec: R): R => spec;

export const noQuery = z.strictObject({});

/** What the names between braces stand for. */
export const PATH_PARAMETERS = {
  memoryId: uuid,
  strategyId: uuid,
  actorId,
  sessionId,
  eventId: uuid,
  recordId: uuid,
  agentId: uuid,
  endpointId: uuid,
  deliveryId: uuid,
  connectorId: uuid,
  tenantId: uuid,
  keyId: text(64, 1),
  parkedId: text(2_048, 1),
  vendor: z.enum(['agora', 'zegocloud'], 'must be agora or zegocloud'),
  appId: text(128, 1),
} as const satisfies Readonly<Record<string, z.ZodType>>;
export type PathParameter = keyof typeof PATH_PARAMETERS;

/** The names between braces in a route's path, in order. */
export const pathParameters = ({ path }: Pick<RouteSpec, 'path'>): PathParameter[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as PathParameter);

type PathOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & PathOf<Rest>
  : unknown;
type Parsed<S> = S extends z.ZodType ? z.infer<S> : undefined;

/** What a handler gets of a request to this route, parsed. */
export interface InputOf<R extends RouteSpec> {
  readonly path: PathOf<R['path']>;
  readonly query: R extends { readonly query: infer Q } ? Parsed<Q> : undefined;
  readonly body: R extends { readonly body: infer B } ? Parsed<B> : undefined;
}

/** What the route answers with, as JSON. */
export type OutputOf<R extends RouteSpec> = R['response'] extends z.ZodType ? z.input<R['response']> : undefined;
