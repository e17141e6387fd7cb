import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { DomainError } from '@turnkeeper/domain';
import { InvalidPayload } from '@turnkeeper/contracts';
import { isDatabaseAway, type Logger } from '@turnkeeper/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { dialectOf, type Dialect } from './dialect.js';

const STATUS: Readonly<Record<DomainError['kind'], number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  mismatch: 422,
  limited: 429,
  late: 504,
};

/** RFC 9457 problem details, with our stable `code` and what mends the request. Never the offending value. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly [extra: string]: unknown;
}

const problem = (status: number, code: string, title: string, extra: Record<string, unknown> = {}): Problem => ({
  // First, so that no fact of an error can take the place of the members that RFC 9457 defines.
  ...extra,
  type: `urn:turnkeeper:error:${code}`,
  title,
  status,
  code,
});

const ofDomainError = (error: DomainError): Problem => {
  const { field, rule, next, facts } = error.details;
  return problem(STATUS[error.kind], error.code, error.message, {
    ...(field === undefined ? {} : { field }),
    ...(rule === undefined ? {} : { rule }),
    ...(next === undefined ? {} : { next }),
    ...(error instanceof InvalidPayload ? { issues: error.issues } : {}),
    ...facts,
  });
};

/** Refusals of the HTTP layer itself, before any handler ran, by Fastify's code. */
const HTTP_PROBLEMS: Readonly<Record<string, Problem>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: problem(413, 'body.too_large', 'The body is larger than this server takes.', {
    next: 'Send fewer events at a time.',
  }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: problem(415, 'body.not_json', 'The body must be JSON.', {
    next: 'Send Content-Type: application/json.',
  }),
  FST_ERR_CTP_EMPTY_JSON_BODY: problem(400, 'body.invalid_json', 'The body is not valid JSON.', {
    next: 'Check it with a JSON parser.',
  }),
  FST_ERR_CTP_INVALID_JSON_BODY: problem(400, 'body.invalid_json', 'The body is not valid JSON.', {
    next: 'Check it with a JSON parser.',
  }),
};
const ROUTE_NOT_FOUND = problem(404, 'route.not_found', 'There is no such route.', {
  next: 'Compare method and path with /openapi.json.',
});
const REQUEST_INVALID = problem(400, 'request.invalid', 'The request could not be read.');
/** Not the request's fault: the same request can work in a moment, so all of these are sent with `Retry-After`. */
const UNAVAILABLE: readonly Problem[] = [
  problem(503, 'log.unavailable', 'The log cannot be reached now.', {
    next: 'Send the request again with the same Idempotency-Key.',
  }),
  problem(503, 'auth.issuer_unavailable', "The token issuer's keys cannot be fetched now.", {
    next: 'Send the request again later, or use an API key.',
  }),
  problem(503, 'server.stopping', 'This server is stopping.', {
    next: 'Send the request again: another server, or this one after its restart, answers it.',
  }),
];
const DATABASE_UNAVAILABLE = problem(503, 'database.unavailable', 'The database cannot be reached or is too busy.', {
  next: 'Send the request again after the seconds in Retry-After; with an Idempotency-Key that is always safe.',
});
const SERVER_FAILED = problem(500, 'server.failed', 'Something went wrong on our side.', {
  next: 'Send the request again; with an Idempotency-Key that is always safe.',
});

/** The problems that have no class of their own. */
export const PLAIN_PROBLEMS: readonly Problem[] = [
  ...Object.values(HTTP_PROBLEMS),
  ROUTE_NOT_FOUND,
  REQUEST_INVALID,
  ...UNAVAILABLE,
  DATABASE_UNAVAILABLE,
  SERVER_FAILED,
];

const ofHttpError = (error: { status: number; code?: string }): Problem => {
  const known = error.code === undefined ? undefined : HTTP_PROBLEMS[error.code];
  if (known !== undefined) return known;
  if (error.status === 404) return ROUTE_NOT_FOUND;
  if (error.status === 400) return REQUEST_INVALID;
  return problem(error.status, 'request.refused', 'The request was refused.');
};

interface HttpLike {
  readonly code?: string;
  readonly statusCode?: number;
  readonly getStatus?: () => number;
  readonly cause?: unknown;
}

/** Turns whatever went wrong into the one answer a client gets for it. */
export const problemOf = (error: unknown): Problem => {
  if (error instanceof DomainError) return ofDomainError(error);
  const like = error as HttpLike;
  const status = like.getStatus?.() ?? like.statusCode;
  if (status !== undefined && status >= 400 && status < 500) {
    // Nest wraps Fastify's own refusals; the cause carries their code.
    const { code } = (like.cause ?? like) as { code?: string };
    return ofHttpError({ status, ...(code === undefined ? {} : { code }) });
  }
  const unavailable = UNAVAILABLE.find(({ code }) => code === like.code);
  if (unavailable !== undefined) return unavailable;
  return isDatabaseAway(error) ? DATABASE_UNAVAILABLE : SERVER_FAILED;
};

const sayWhen = (reply: FastifyReply, body: Problem): void => {
  if (body.status === 503 || body.status === 429) {
    void reply.header('retry-after', String(body['retryAfterSeconds'] ?? 1));
  }
};

const sendProblem = (reply: FastifyReply, body: Problem): void => {
  sayWhen(reply, body);
  if (body.status === 401) void reply.header('www-authenticate', 'Bearer');
  void reply.code(body.status).type('application/problem+json').send(body);
};

/** For refusals that happen before Nest sees the request, such as a path that cannot be decoded. */
export const answerProblem = (error: unknown, _request: unknown, reply: FastifyReply): void =>
  sendProblem(reply, problemOf(error));

@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly dialects: readonly Dialect[] = [],
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const body = problemOf(error);
    if (body.status >= 500) this.logger.error({ err: error, requestId: request.id }, 'request.failed');
    (request as { problemCode?: string }).problemCode = body.code;
    const reply = http.getResponse<FastifyReply>();
    const dialect = dialectOf(this.dialects, request.url);
    if (dialect === undefined) return sendProblem(reply, body);
    sayWhen(reply, body);
    dialect.refuse(reply, body, error);
  }
}
