import {
  applyDecorators,
  createParamDecorator,
  HttpCode,
  RequestMapping,
  RequestMethod,
  UseInterceptors,
  type ExecutionContext,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { noQuery, parseOrRefuse, storesFirstAnswer, type InputOf, type RouteSpec } from '@turnkeeper/contracts';
import type { FastifyRequest } from 'fastify';
import { Public, RequireScope, TakesNoQuery } from '../auth/auth.guard.js';
import type { EdgeConfig } from '../edge/route-config.js';
import { FirstAnswers } from './first-answers.js';
import { parsePath } from './path.js';

/** Nest's path syntax: `:name` for a parameter, `::` for a literal colon. */
export const nestPath = (path: string): string =>
  path
    .replaceAll(':', '::')
    // Before a verb (`{recordId}:reinstate`) a parameter needs an explicit end.
    .replaceAll(/\{(\w+)\}(?=::)/g, ':$1(^[^:]+)')
    .replaceAll(/\{(\w+)\}/g, ':$1');

/** Makes a controller method the handler of a route in the table. The controller itself has no prefix. */
export const Route = (spec: RouteSpec): MethodDecorator =>
  applyDecorators(
    RequestMapping({ method: RequestMethod[spec.method], path: nestPath(spec.path) }),
    HttpCode(spec.status),
    ...(spec.query === undefined ? [TakesNoQuery()] : []),
    spec.scope === null ? Public() : RequireScope(spec.scope),
    RouteConfig({ spec } satisfies EdgeConfig),
    ...(storesFirstAnswer(spec) ? [UseInterceptors(FirstAnswers)] : []),
  );

/** The parsed path, query and body of a request; rejects input that violates the schemas. */
export const inputOf = <R extends RouteSpec>(spec: R, request: FastifyRequest): InputOf<R> =>
  ({
    path: parsePath(spec, request.params as Readonly<Record<string, string>>),
    query: parseOrRefuse('query', spec.query ?? noQuery, request.query),
    // The handler parses streamed bodies as they arrive.
    body:
      spec.body === undefined || spec.bodyType !== undefined
        ? undefined
        : parseOrRefuse('body', spec.body, request.body),
  }) as InputOf<R>;

/** The parsed input as a handler's argument: `@Input(routes.getMemory) { path }: InputOf<typeof routes.getMemory>`. */
export const Input = createParamDecorator((spec: RouteSpec, context: ExecutionContext) =>
  inputOf(spec, context.switchToHttp().getRequest<FastifyRequest>()),
);
