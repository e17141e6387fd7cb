import { Readable } from 'node:stream';
import { Controller, Inject, Req, Res } from '@nestjs/common';
import { withMemory, type ChatAnswer, type PreparedChat, type SessionScope } from '@turnkeeper/application';
import { allowsScope } from '@turnkeeper/contracts';
import { DomainError, type Reach } from '@turnkeeper/domain';
import { sha256Hex } from '@turnkeeper/platform';
import { chatError, createChatCompletion, type ChatCompletionBody } from '@turnkeeper/vendors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dispatcher } from 'undici';
import { MissingScope } from '../auth/auth-errors.js';
import type { Admitted } from '../edge/admit-on-headers.js';
import { Input, Route, type CallOf } from '../http/route.js';
import { doInTurn } from '../limits/share-work.js';
import { ChatMemoryLate, ChatNotConfigured } from './chat-errors.js';
import { passedOn } from './chat-model.js';
import { chatHeader, chatSubject } from './chat-subject.js';
import { AnswerReader } from './read-answer.js';
import { APP, type App } from '../composition.js';

type Exchange = {
  readonly scope: SessionScope;
  readonly body: ChatCompletionBody;
  readonly prepared: PreparedChat | null;
};

/**
 * A chat model with memory, for clients that can only be given a base URL. The request is forwarded with what is
 * remembered of the user; the user's words and the answer are stored before the client has the end of the answer.
 */
@Controller()
export class ChatController {
  constructor(
    @Inject(APP)
    private readonly app: Pick<
      App,
      | 'prepareChat'
      | 'storeChat'
      | 'chatModel'
      | 'fairWork'
      | 'ids'
      | 'clock'
      | 'settings'
      | 'logger'
      | 'metrics'
      | 'appended'
    >,
  ) {}

  @Route(createChatCompletion)
  async complete(
    @Input() { reach, query, body }: CallOf<typeof createChatCompletion>,
    @Req() request: FastifyRequest & Admitted,
    @Res() reply: FastifyReply,
  ) {
    // The model tells the caller what it was given to read.
    if (!allowsScope(request.caller?.scopes ?? [], 'memory:read')) throw new MissingScope('memory:read');
    const { headers } = request;
    const scope = chatSubject(reach, { headers, query, body }, this.app.ids, this.app.clock.now().toISOString());
    const key = chatHeader(headers, 'Turnkeeper-Model-Key');
    if (!this.app.chatModel.isConfigured) throw new ChatNotConfigured();
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const prepared = await this.prepare(reach, scope, body);
    const exchange = { scope, body, prepared };
    void reply.header('turnkeeper-memory-tokens', prepared === null ? 'unavailable' : String(prepared.memory.tokens));
    const messages = withMemory(body.messages, prepared?.memory.text ?? '');
    const response = await this.app.chatModel
      .send({ ...body, messages }, key, gone.signal)
      .catch((error: unknown) => this.refuseUnreachable(error));
    // The reply is sent here; Nest ignores the returned value.
    return (await this.answer(exchange, response, gone.signal, reply)) as never;
  }

  /** What the user's memory holds; null if it is unavailable and the call goes on without it. */
  private async prepare(
    reach: Reach,
    scope: SessionScope,
    { messages }: ChatCompletionBody,
  ): Promise<PreparedChat | null> {
    const { CHAT_MEMORY_TOKENS: budget, CHAT_MEMORY_MS: ms } = this.app.settings;
    const reading = doInTurn(this.app.fairWork, scope.tenantId, 'buildContext', () =>
      this.app.prepareChat.execute(reach, scope, messages, budget),
    );
    try {
      return await inTime(reading, ms);
    } catch (error) {
      // The client's own mistake, such as a memory that does not exist, is none of the server's.
      if (error instanceof DomainError && error.kind !== 'limited' && error.kind !== 'late') throw error;
      this.noteFailure('read', error, scope);
      return null;
    }
  }

  private async answer(
    exchange: Exchange,
    response: Dispatcher.ResponseData | null,
    gone: AbortSignal,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const reader = new AnswerReader();
    if (response === null) return this.answerUnreachable(exchange, reply);
    const isStream = String(response.headers['content-type'] ?? '').startsWith('text/event-stream');
    const pass = (): FastifyReply => reply.code(response.statusCode).headers(passedOn(response.headers));
    if (response.statusCode === 200 && isStream) {
      const pieces = this.passing(exchange, response.body, reader, gone);
      // Until the first piece, a failure has a status.
      const first = await pieces.next().catch((error: unknown) => this.refuseUnreachable(error));
      if (first === null) return this.answerUnreachable(exchange, reply);
      void pass().header('x-accel-buffering', 'no');
      return reply.send(Readable.from(from(first, pieces), { objectMode: false }));
    }
    const text = await response.body.text().catch((error: unknown) => this.refuseUnreachable(error));
    if (text === null) return this.answerUnreachable(exchange, reply);
    if (response.statusCode === 200) reader.readWhole(text);
    await this.store(exchange, reader.answer(false));
    return pass().send(text);
  }

  private async answerUnreachable(exchange: Exchange, reply: FastifyReply): Promise<FastifyReply> {
    // What the user said was said.
    await this.store(exchange, new AnswerReader().answer(false));
    const message = 'The model cannot be reached. Try again later.';
    return reply
      .code(502)
      .type('application/json')
      .send(chatError(502, { code: 'chat.model_unreachable', message }));
  }

  /** The model's bytes as they arrive. The last ones wait until the exchange is stored. */
  private async *passing(
    exchange: Exchange,
    bytes: AsyncIterable<Uint8Array>,
    reader: AnswerReader,
    gone: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    let isStored = false;
    const storeOnce = async (isCut: boolean): Promise<void> => {
      if (isStored) return;
      isStored = true;
      await this.store(exchange, reader.answer(isCut));
    };
    try {
      for await (const chunk of bytes) {
        reader.push(chunk);
        if (reader.isDone) await storeOnce(false);
        yield chunk;
      }
      await storeOnce(false);
    } catch (error) {
      if (!gone.aborted) throw error;
    } finally {
      // The client hung up, or the model broke off: what was sent was said.
      const { content } = reader.answer(true);
      if (content !== '') await storeOnce(true);
    }
  }

  /** Rejects only if calls may not go on without memory. */
  private async store({ scope, body, prepared }: Exchange, answer: ChatAnswer): Promise<void> {
    const { messages, turn_id: turnId } = body;
    try {
      const { heard, isNew } = prepared ?? { heard: null, isNew: false };
      await this.app.storeChat.execute(scope, { messages, turnId, answer, heard, isNew }, sha256Hex);
      this.app.appended();
    } catch (error) {
      this.noteFailure('store', error, scope);
    }
  }

  /** Throws the error if a call without memory is to fail. */
  private noteFailure(step: 'read' | 'store', error: unknown, { memoryId }: SessionScope): void {
    this.app.metrics.counter('chat_memory_failures_total').inc({ step });
    this.app.logger.warn({ err: error, step, memoryId }, 'chat.without_memory');
    if (this.app.settings.CHAT_WITHOUT_MEMORY === 'reject') throw error;
  }

  private refuseUnreachable(error: unknown): null {
    this.app.logger.warn({ err: error }, 'chat.model_unreachable');
    return null;
  }
}

/** The rest of an iteration whose first step was taken. */
async function* from<T>(first: IteratorResult<T, void>, rest: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  try {
    if (first.done !== true) yield first.value;
    yield* rest;
  } finally {
    await rest.return();
  }
}

/** Rejects if the work takes longer. */
const inTime = async <T>(work: Promise<T>, ms: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChatMemoryLate()), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};
