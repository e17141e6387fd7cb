import { Controller, Inject } from '@nestjs/common';
import { ClearSession, FindEarlierAnswer, GetContext, type QuestionScope } from '@turnkeeper/application';
import { routes, type InputOf, type OutputOf } from '@turnkeeper/contracts';
import { formatMessages, type MessageEvent } from '@turnkeeper/domain';
import { TenantId } from '../auth/auth.guard.js';
import { Input, Route } from '../http/route.js';
import { APPENDED } from '../tokens.js';

const { getContext, formatContext, clearSession } = routes;
const { findAnswerInSession, findAnswerOfActor, findAnswerInMemory } = routes;
const { findAnswerInSessionFromBody, findAnswerOfActorFromBody, findAnswerInMemoryFromBody } = routes;

type ContextMessage = OutputOf<typeof getContext>['messages'][number];
type ExactMatch = InputOf<typeof findAnswerInMemory>['query'];

/** No metadata and empty metadata are the same: null. */
const metadataOf = ({ data }: MessageEvent): ContextMessage['metadata'] =>
  data.metadata === undefined || Object.keys(data.metadata).length === 0 ? null : data.metadata;

const contextMessage = (message: MessageEvent): ContextMessage => ({
  role: message.data.role,
  content: message.data.content,
  metadata: metadataOf(message),
  occurredAt: message.occurredAt ?? message.recordedAt,
  eventId: message.eventId,
  sequence: message.sequence ?? 0,
});

/** A session's memory for small assistants: the last messages as data or text, and earlier answers. */
@Controller()
export class ShortTermController {
  constructor(
    @Inject(GetContext) private readonly getContext: GetContext,
    @Inject(ClearSession) private readonly clearSession: ClearSession,
    @Inject(FindEarlierAnswer) private readonly findEarlierAnswer: FindEarlierAnswer,
    @Inject(APPENDED) private readonly appended: () => void,
  ) {}

  @Route(getContext)
  async context(
    @TenantId() tenantId: string,
    @Input(getContext) { path, query }: InputOf<typeof getContext>,
  ): Promise<OutputOf<typeof getContext>> {
    const messages = await this.getContext.execute({ tenantId, ...path }, query.limit);
    return { messages: messages.map(contextMessage) };
  }

  @Route(formatContext)
  async format(
    @TenantId() tenantId: string,
    @Input(formatContext) { path, query }: InputOf<typeof formatContext>,
  ): Promise<OutputOf<typeof formatContext>> {
    return { text: formatMessages(await this.getContext.execute({ tenantId, ...path }, query.limit)) };
  }

  @Route(clearSession)
  async clear(
    @TenantId() tenantId: string,
    @Input(clearSession) { path }: InputOf<typeof clearSession>,
  ): Promise<OutputOf<typeof clearSession>> {
    await this.clearSession.execute({ tenantId, ...path });
    this.appended();
    return undefined;
  }

  @Route(findAnswerInSession)
  inSession(
    @TenantId() tenantId: string,
    @Input(findAnswerInSession) { path, query }: InputOf<typeof findAnswerInSession>,
  ): Promise<OutputOf<typeof findAnswerInSession>> {
    return this.find({ tenantId, ...path }, query);
  }

  @Route(findAnswerOfActor)
  ofActor(
    @TenantId() tenantId: string,
    @Input(findAnswerOfActor) { path, query }: InputOf<typeof findAnswerOfActor>,
  ): Promise<OutputOf<typeof findAnswerOfActor>> {
    return this.find({ tenantId, ...path }, query);
  }

  @Route(findAnswerInMemory)
  inMemory(
    @TenantId() tenantId: string,
    @Input(findAnswerInMemory) { path, query }: InputOf<typeof findAnswerInMemory>,
  ): Promise<OutputOf<typeof findAnswerInMemory>> {
    return this.find({ tenantId, ...path }, query);
  }

  @Route(findAnswerInSessionFromBody)
  inSessionFromBody(
    @TenantId() tenantId: string,
    @Input(findAnswerInSessionFromBody) { path, body }: InputOf<typeof findAnswerInSessionFromBody>,
  ): Promise<OutputOf<typeof findAnswerInSession>> {
    return this.find({ tenantId, ...path }, body);
  }

  @Route(findAnswerOfActorFromBody)
  ofActorFromBody(
    @TenantId() tenantId: string,
    @Input(findAnswerOfActorFromBody) { path, body }: InputOf<typeof findAnswerOfActorFromBody>,
  ): Promise<OutputOf<typeof findAnswerOfActor>> {
    return this.find({ tenantId, ...path }, body);
  }

  @Route(findAnswerInMemoryFromBody)
  inMemoryFromBody(
    @TenantId() tenantId: string,
    @Input(findAnswerInMemoryFromBody) { path, body }: InputOf<typeof findAnswerInMemoryFromBody>,
  ): Promise<OutputOf<typeof findAnswerInMemory>> {
    return this.find({ tenantId, ...path }, body);
  }

  private async find(
    scope: QuestionScope,
    { query, prefer }: ExactMatch,
  ): Promise<OutputOf<typeof findAnswerInMemory>> {
    const found = await this.findEarlierAnswer.execute(scope, query, prefer);
    if (found === null) return { answer: null, match: null };
    const { eventId, actorId, sessionId, sequence, recordedAt } = found.message;
    return {
      answer: found.answer,
      match: {
        eventId,
        actorId: actorId ?? '',
        sessionId: sessionId ?? '',
        sequence: sequence ?? 0,
        answeredAt: recordedAt,
      },
    };
  }
}
