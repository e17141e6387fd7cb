import {
  everything,
  isAssistantRole,
  originalOf,
  type ContextBlock,
  type MessageEvent,
  type MessageInterrupted,
  type Reach,
} from '@turnkeeper/domain';
import type { SessionScope } from '../log/event-store.port.js';
import type { Ports } from '../ports.js';
import { BuildContext, type ShownToModel } from '../recall/build-context.js';
import { readNewest } from '../sessions/read-window.js';
import type { ChatMessage } from './chat-message.js';
import { lastAnswer, lastWords, textOf } from './chat-turns.js';

export interface PreparedChat {
  readonly memory: ContextBlock;
  /** The part of the last stored answer that the client shows, if it shows less of it. */
  readonly heard: MessageInterrupted | null;
  /** Nothing of the session is stored. */
  readonly isNew: boolean;
}

/** Reads what a request to a model lacks: the user's memory, without what the request shows. */
export class PrepareChat {
  private readonly buildContext: BuildContext;

  constructor(
    private readonly deps: Pick<
      Ports,
      'memories' | 'records' | 'turns' | 'eventStore' | 'rollingMemory' | 'tokens' | 'inSteps'
    >,
  ) {
    this.buildContext = new BuildContext(deps);
  }

  /** @param budget maximum number of tokens of the memory */
  async execute(
    reach: Reach,
    scope: SessionScope,
    messages: readonly ChatMessage[],
    budget: number,
  ): Promise<PreparedChat> {
    const reading = this.readShown(scope, messages);
    const [memory, { newest }] = await Promise.all([
      this.buildContext.execute(reach, scope, lastWords(messages), budget, reading),
      reading,
    ]);
    return { memory, heard: heardOf(newest, lastAnswer(messages)), isNew: newest.length === 0 };
  }

  /** The newest messages of the session, and which of them the request shows. */
  private async readShown(
    scope: SessionScope,
    messages: readonly ChatMessage[],
  ): Promise<ShownToModel & { readonly newest: readonly MessageEvent[] }> {
    const newest = await readNewest(this.deps.eventStore, scope, { size: messages.length, hides: everything });
    const texts = new Set(messages.map(textOf));
    const isShown = (event: MessageEvent): boolean => texts.has(event.data.content) || texts.has(originalOf(event));
    const shown = newest.filter(isShown);
    return {
      newest,
      eventIds: new Set(shown.map(({ eventId }) => eventId)),
      ...(shown[0] === undefined
        ? {}
        : { except: { sessionId: scope.sessionId, after: (shown[0].sequence ?? 1) - 1 } }),
    };
  }
}

/** A platform that was interrupted sends what was spoken of the answer: a beginning of it. */
const heardOf = (stored: readonly MessageEvent[], shown: string | null): MessageInterrupted | null => {
  const last = stored.findLast(({ data }) => isAssistantRole(data.role));
  if (last === undefined || shown === null || shown.trim() === '') return null;
  const { content } = last.data;
  const heard = shown.trimEnd();
  return heard.length < content.trimEnd().length && content.startsWith(heard)
    ? { messageEventId: last.eventId, heard }
    : null;
};
