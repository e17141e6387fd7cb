import { Controller, Inject } from '@nestjs/common';
import { type QuestionScope } from '@turnkeeper/application';
import { routes, type InputOf, type OutputOf } from '@turnkeeper/contracts';
import { formatMessages, type MessageEvent } from '@turnkeeper/domain';
import { Input, Route, type CallOf } from '../http/route.js';
import { APP, type App } from '../composition.js';

type ContextMessage = OutputOf<typeof routes.getContext>['messages'][number];
type ExactMatch = InputOf<typeof routes.findAnswerInMemory>['query'];

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
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.getContext)
  async context(@Input() { tenantId, path, query }: CallOf<typeof routes.getContext>) {
    const messages = await this.app.getContext.execute({ tenantId, ...path }, query.limit);
    return { messages: messages.map(contextMessage) };
  }

  @Route(routes.formatContext)
  async format(@Input() { tenantId, path, query }: CallOf<typeof routes.formatContext>) {
    return { text: formatMessages(await this.app.getContext.execute({ tenantId, ...path }, query.limit)) };
  }

  @Route(routes.clearSession)
  async clear(@Input() { tenantId, path }: CallOf<typeof routes.clearSession>) {
    await this.app.clearSession.execute({ tenantId, ...path });
    this.app.appended();
  }

  @Route(routes.findAnswerInSession)
  inSession(@Input() { tenantId, path, query }: CallOf<typeof routes.findAnswerInSession>) {
    return this.find({ tenantId, ...path }, query);
  }

  @Route(routes.findAnswerOfActor)
  ofActor(@Input() { tenantId, path, query }: CallOf<typeof routes.findAnswerOfActor>) {
    return this.find({ tenantId, ...path }, query);
  }

  @Route(routes.findAnswerInMemory)
  inMemory(@Input() { tenantId, path, query }: CallOf<typeof routes.findAnswerInMemory>) {
    return this.find({ tenantId, ...path }, query);
  }

  @Route(routes.findAnswerInSessionFromBody)
  inSessionFromBody(@Input() { tenantId, path, body }: CallOf<typeof routes.findAnswerInSessionFromBody>) {
    return this.find({ tenantId, ...path }, body);
  }

  @Route(routes.findAnswerOfActorFromBody)
  ofActorFromBody(@Input() { tenantId, path, body }: CallOf<typeof routes.findAnswerOfActorFromBody>) {
    return this.find({ tenantId, ...path }, body);
  }

  @Route(routes.findAnswerInMemoryFromBody)
  inMemoryFromBody(@Input() { tenantId, path, body }: CallOf<typeof routes.findAnswerInMemoryFromBody>) {
    return this.find({ tenantId, ...path }, body);
  }

  private async find(
    scope: QuestionScope,
    { query, prefer }: ExactMatch,
  ): Promise<OutputOf<typeof routes.findAnswerInMemory>> {
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
