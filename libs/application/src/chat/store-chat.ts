import type { MessageAppended, MessageInterrupted } from '@turnkeeper/domain';
import type { SessionScope } from '../log/event-store.port.js';
import { factOf } from '../log/stored-event.js';
import type { Ports } from '../ports.js';
import type { ChatMessage } from './chat-message.js';
import { answerKey, answerTurn, newTurns, type ChatAnswer } from './chat-turns.js';

export interface ChatExchange {
  readonly messages: readonly ChatMessage[];
  /** The platform's number of the turn. */
  readonly turnId?: number | undefined;
  readonly answer: ChatAnswer;
  readonly heard: MessageInterrupted | null;
  /** Nothing of the session is stored. */
  readonly isNew: boolean;
}

type Digest = (text: string) => string;

/**
 * Stores what was said in one exchange with a model. Ids are derived from the conversation up to each message, so that a
 * repeated request stores its messages once; an answer that differs is stored as well, because the client received it.
 */
export class StoreChat {
  constructor(private readonly deps: Pick<Ports, 'eventStore' | 'ids'>) {}

  /**
   * Durable when it resolves.
   *
   * @param digest hex SHA-256 of a text
   */
  async execute(scope: SessionScope, exchange: ChatExchange, digest: Digest): Promise<void> {
    const { messages, turnId, answer, heard } = exchange;
    if (heard !== null) await this.append(scope, heard, ['heard'], digest);
    for (const { message, key } of newTurns(messages, exchange)) await this.append(scope, message, key, digest);
    const answered = answerTurn(answer, turnId);
    if (answered !== null) await this.append(scope, answered, answerKey(messages), digest);
  }

  private async append(scope: SessionScope, data: Said, key: readonly string[], digest: Digest): Promise<void> {
    const { eventStore, ids } = this.deps;
    const { tenantId, memoryId, actorId, sessionId } = scope;
    const fingerprint = digest(JSON.stringify(data));
    const eventId = ids.derive('chat', tenantId, memoryId, actorId, sessionId, digest(key.join('\n')), fingerprint);
    const event =
      'messageEventId' in data
        ? factOf(eventId, 'message.interrupted', data)
        : factOf(eventId, 'message.appended', data);
    await eventStore.append({ ...scope, events: [event], fingerprint });
  }
}

type Said = MessageAppended | MessageInterrupted;
