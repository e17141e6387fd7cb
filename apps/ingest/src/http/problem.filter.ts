import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Logger } from '@turnkeeper/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { dialectOf } from './dialect.js';
import { problemOf, type Problem } from './problem.js';

/** The request id header: the same id as in the access log line and the problem's `requestId`. */
export const REQUEST_ID_HEADER = 'x-request-id';

const setRetryAfter = (reply: FastifyReply, body: Problem): void => {
  if (body.status === 503 || body.status === 429) {
    void reply.header('retry-after', String(body['retryAfterSeconds'] ?? 1));
  }
};

const sendProblem = (reply: FastifyReply, body: Problem): void => {
  setRetryAfter(reply, body);
  const { id } = reply.request;
  if (body.code === 'body.encoding_unknown') void reply.header('accept-encoding', 'gzip');
  if (body.status === 401) void reply.header('www-authenticate', 'Bearer');
  void reply
    .code(body.status)
    .header(REQUEST_ID_HEADER, id)
    .type('application/problem+json')
    .send({ ...body, instance: `urn:uuid:${id}`, requestId: id });
};

const refuse = (reply: FastifyReply, url: string, error: unknown, body: Problem): void => {
  const dialect = dialectOf(url);
  if (dialect === undefined) return sendProblem(reply, body);
  setRetryAfter(reply, body);
  const answer = dialect.answer(body, { error, requestId: reply.request.id });
  void reply
    .code(answer.status)
    .headers(answer.headers ?? {})
    .type('application/json')
    .send(answer.body);
};

/** For errors that occur before Nest sees the request, such as an undecodable path. */
export const answerProblem = (error: unknown, { url }: FastifyRequest, reply: FastifyReply): void =>
  refuse(reply, url, error, problemOf(error));

@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const body = problemOf(error);
    if (body.status >= 500) this.logger.error({ err: error, requestId: request.id }, 'request.failed');
    (request as { problemCode?: string }).problemCode = body.code;
    refuse(http.getResponse<FastifyReply>(), request.url, error, body);
  }
}
