import {
  applyDecorators,
  createParamDecorator,
  HttpCode,
  RequestMapping,
  RequestMethod,
  UseInterceptors,
  type ExecutionContext,
  type StreamableFile,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import {
  noQuery,
  parseOrRefuse,
  storesFirstAnswer,
  type InputOf,
  type OutputOf,
  type RouteSpec,
} from '@turnkeeper/contracts';
import type { FastifyRequest } from 'fastify';
import type { Reach } from '@turnkeeper/domain';
import { Public, reachOf, RequireScope, TakesNoBody, TakesNoQuery, type Reaching } from '../auth/auth.guard.js';
import { specOf, type EdgeConfig } from '../edge/route-config.js';
import { FirstAnswers } from './first-answers.js';
import { parsePath } from './path.js';

/** Nest's path syntax: `:name` for a parameter, `::` for a literal colon. */
export const nestPath = (path: string): string =>
  path
    .replaceAll(':', '::')
    // Before a verb (`{recordId}:reinstate`) a parameter needs an explicit end.
    .replaceAll(/\{(\w+)\}(?=::)/g, ':$1(^[^:]+)')
    .replaceAll(/\{(\w+)\}/g, ':$1');

/** A request to a route as its handler receives it: the parsed input, and what the caller reaches where a key is needed. */
export type CallOf<R extends RouteSpec> = InputOf<R> &
  (R['scope'] extends null ? unknown : { readonly tenantId: string; readonly reach: Reach });

type AnswerOf<R extends RouteSpec> = R extends { readonly responseType: string }
  ? Promise<StreamableFile>
  : R['response'] extends null
    ? Promise<void>
    : Promise<OutputOf<R>>;

/**
 * Makes a controller method the handler of a route in the table. The controller itself has no prefix. The handler must
 * return the route's response. The type does not catch fields beyond it.
 */
export const Route = <const R extends RouteSpec>(spec: R) =>
  applyDecorators(
    RequestMapping({ method: RequestMethod[spec.method], path: nestPath(spec.path) }),
    HttpCode(spec.status),
    ...(spec.query === undefined ? [TakesNoQuery()] : []),
    ...(spec.body === undefined && spec.rawBody === undefined ? [TakesNoBody()] : []),
    spec.scope === null ? Public() : RequireScope(spec.scope),
    RouteConfig({ spec } satisfies EdgeConfig),
    ...(storesFirstAnswer(spec) ? [UseInterceptors(FirstAnswers)] : []),
  ) as <H extends (...values: never[]) => AnswerOf<R>>(
    controller: object,
    name: string | symbol,
    handler: TypedPropertyDescriptor<H>,
  ) => void;

/** The parsed path, query and body of a request; rejects input that violates the schemas. */
export const inputOf = <R extends RouteSpec>(spec: R, request: Reaching): CallOf<R> =>
  ({
    tenantId: request.tenantId,
    reach: spec.scope === null ? undefined : reachOf(request),
    path: parsePath(spec, request.params as Readonly<Record<string, string>>),
    query: parseOrRefuse('query', spec.query ?? noQuery, request.query),
    // The handler parses streamed bodies as they arrive.
    body:
      spec.body === undefined || spec.bodyType !== undefined
        ? undefined
        : parseOrRefuse('body', spec.body, request.body),
  }) as unknown as CallOf<R>;

/** The request as a handler's argument: `@Input() { path }: CallOf<typeof routes.getMemory>`. */
export const Input = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  // `@Route` put the whole spec there.
  return inputOf(specOf(request) as RouteSpec, request);
});
