import { Controller, Inject } from '@nestjs/common';
import { type QuestionScope } from '@turnkeeper/application';
import { routes, type InputOf, type OutputOf } from '@turnkeeper/contracts';
import { formatMessages, type MessageEvent } from '@turnkeeper/domain';
import { Input, Route, type CallOf } from '../http/route.js';
import { APP, type App } from '../composition.js';

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
    @Inject(APP) private readonly app: Pick<App, 'getContext' | 'clearSession' | 'findEarlierAnswer' | 'appended'>,
  ) {}

  @Route(getContext)
  async context(@Input() { tenantId, path, query }: CallOf<typeof getContext>) {
    const messages = await this.app.getContext.execute({ tenantId, ...path }, query.limit);
    return { messages: messages.map(contextMessage) };
  }

  @Route(formatContext)
  async format(@Input() { tenantId, path, query }: CallOf<typeof formatContext>) {
    return { text: formatMessages(await this.app.getContext.execute({ tenantId, ...path }, query.limit)) };
  }

  @Route(clearSession)
  async clear(@Input() { tenantId, path }: CallOf<typeof clearSession>) {
    await this.app.clearSession.execute({ tenantId, ...path });
    this.app.appended();
  }

  @Route(findAnswerInSession)
  inSession(@Input() { tenantId, path, query }: CallOf<typeof findAnswerInSession>) {
    return this.find({ tenantId, ...path }, query);
  }

  @Route(findAnswerOfActor)
  ofActor(@Input() { tenantId, path, query }: CallOf<typeof findAnswerOfActor>) {
    return this.find({ tenantId, ...path }, query);
  }

  @Route(findAnswerInMemory)
  inMemory(@Input() { tenantId, path, query }: CallOf<typeof findAnswerInMemory>) {
    return this.find({ tenantId, ...path }, query);
  }

  @Route(findAnswerInSessionFromBody)
  inSessionFromBody(@Input() { tenantId, path, body }: CallOf<typeof findAnswerInSessionFromBody>) {
    return this.find({ tenantId, ...path }, body);
  }

  @Route(findAnswerOfActorFromBody)
  ofActorFromBody(@Input() { tenantId, path, body }: CallOf<typeof findAnswerOfActorFromBody>) {
    return this.find({ tenantId, ...path }, body);
  }

  @Route(findAnswerInMemoryFromBody)
  inMemoryFromBody(@Input() { tenantId, path, body }: CallOf<typeof findAnswerInMemoryFromBody>) {
    return this.find({ tenantId, ...path }, body);
  }

  private async find(
    scope: QuestionScope,
    { query, prefer }: ExactMatch,
  ): Promise<OutputOf<typeof findAnswerInMemory>> {
    const found = await this.app.findEarlierAnswer.execute(scope, query, prefer);
    if (found === null) return { answer: null, match: null };
    const { eventId, actorId, sessionId, sequence, occurredAt, recordedAt } = found.message;
    return {
      answer: found.answer,
      match: {
        eventId,
        actorId: actorId ?? '',
        sessionId: sessionId ?? '',
        sequence: sequence ?? 0,
        answeredAt: occurredAt ?? recordedAt,
      },
    };
  }
}
