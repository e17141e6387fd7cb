import type { WindowMessage } from '@turnkeeper/domain';

/** The short names a model uses for messages, and what they stand for. Real event ids never reach the model. */
export interface Aliases {
  /** An event id for a name we gave out; for any other a text that is no event's id, so that `admit` refuses it. */
  eventId(alias: string): string;
}

export interface RenderedConversation {
  readonly text: string;
  readonly aliases: Aliases;
}

const MAX_ALIAS_LENGTH = 40;

/**
 * Writes the window as one JSON object per line: JSON's quoting keeps a message from ending its own line and
 * posing as another. Messages to extract from are m1, m2 …; those before the window are c1, c2 ….
 */
export const renderConversation = (
  context: readonly WindowMessage[],
  messages: readonly WindowMessage[],
): RenderedConversation => {
  const events = new Map<string, string>();
  const line = (prefix: string) => (message: WindowMessage, index: number) => {
    const id = `${prefix}${index + 1}`;
    events.set(id, message.eventId);
    const { role, speaker, at, content } = message;
    return JSON.stringify({ id, role, speaker, at, text: content });
  };
  const before = context.map(line('c'));
  const window = messages.map(line('m'));
  const text = [
    ...(before.length === 0 ? [] : ['Context, not to be cited:', ...before, '']),
    'Conversation:',
    ...window,
  ].join('\n');
  return {
    text,
    aliases: { eventId: (alias) => events.get(alias) ?? `alias:${alias.slice(0, MAX_ALIAS_LENGTH)}` },
  };
};
