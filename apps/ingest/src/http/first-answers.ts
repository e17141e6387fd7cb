import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { idempotencyKey, parseOrRefuse } from '@turnkeeper/contracts';
import {
  IdempotencyAnswerMissing,
  IdempotencyInProgress,
  IdempotencyMismatch,
  isUuid,
  parseJson,
  writeJson,
} from '@turnkeeper/domain';
import { sha256Hex } from '@turnkeeper/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { defer, firstValueFrom, type Observable } from 'rxjs';
import type { Admitted } from '../edge/admit-on-headers.js';
import { specOf } from '../edge/route-config.js';
import { problemOf } from './problem.js';
import { APP, type App } from '../composition.js';

/** Response header of repeated answers. */
export const REPLAYED = 'idempotency-replayed';

/**
 * Honours `Idempotency-Key`: the request is carried out once, and repeats get its first answer. Runs after the guard, so
 * a caller gets only answers to requests that it may make.
 *
 * A request that was rejected had no effect, and its key can be used again. After any other failure the outcome is
 * unknown, and the request is never carried out a second time (docs/adr/0048).
 */
@Injectable()
export class FirstAnswers implements NestInterceptor {
  constructor(@Inject(APP) private readonly app: Pick<App, 'firstAnswers' | 'logger'>) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest & Admitted>();
    const key = request.headers['idempotency-key'];
    if (key === undefined) return next.handle();
    return defer(() => this.once(request, http.getResponse<FastifyReply>(), key, () => firstValueFrom(next.handle())));
  }

  private async once(
    request: FastifyRequest & Admitted,
    reply: FastifyReply,
    header: string | string[],
    work: () => Promise<unknown>,
  ): Promise<unknown> {
    const { tenantId = '' } = request;
    const begun = await this.app.firstAnswers.begin({
      tenantId,
      route: specOf(request)?.id ?? '',
      key: parseOrRefuse('Idempotency-Key', idempotencyKey, header),
      fingerprint: sha256Hex(JSON.stringify([request.url, request.body ?? null])),
      memoryId: memoryIn(request.params) ?? memoryIn(request.body),
    });
    switch (begun.kind) {
      case 'answered':
        void reply.header(REPLAYED, 'true');
        return parseJson(begun.answer);
      case 'running':
        throw new IdempotencyInProgress();
      case 'missing':
        throw new IdempotencyAnswerMissing();
      case 'differs':
        throw new IdempotencyMismatch();
      case 'first':
        return this.first(request, tenantId, begun.requestId, work);
    }
  }

  private async first(
    request: FastifyRequest,
    tenantId: string,
    requestId: string,
    work: () => Promise<unknown>,
  ): Promise<unknown> {
    let answer: unknown;
    try {
      answer = await work();
    } catch (error) {
      const hadNoEffect = problemOf(error).status < 500;
      const settling = hadNoEffect
        ? this.app.firstAnswers.forget(tenantId, requestId)
        : this.app.firstAnswers.interrupt(tenantId, requestId);
      await settling.catch((failure: unknown) => this.noteFailure(requestId, failure));
      throw error;
    }
    // The work is done, so its answer is sent even if it cannot be stored.
    await this.app.firstAnswers
      .answer(tenantId, requestId, writeJson(answer ?? null), memoryIn(answer) ?? createdMemory(request, answer))
      .catch((failure: unknown) => this.noteFailure(requestId, failure));
    return answer;
  }

  private noteFailure(requestId: string, error: unknown): void {
    this.app.logger.error({ requestId, err: error }, 'idempotency.not_stored');
  }
}

const field = (value: unknown, name: string): string | null => {
  const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return typeof found === 'string' && isUuid(found) ? found.toLowerCase() : null;
};
const memoryIn = (value: unknown): string | null => field(value, 'memoryId');
const createdMemory = (request: FastifyRequest, answer: unknown): string | null =>
  specOf(request)?.id === 'createMemory' ? field(answer, 'id') : null;
