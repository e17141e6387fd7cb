import { modelJson, type WindowMessage } from '@turnkeeper/domain';

/** The short names a model uses for messages, and what they stand for. Real event ids never reach the model. */
export interface Aliases {
  /** An event id for a name we gave out; for any other a text that is no event's id, so that `admit` refuses it. */
  eventId(alias: string): string;
}

const MAX_ALIAS_LENGTH = 40;
/** Messages to extract from are m1, m2 …; those before the window are c1, c2 …. */
const alias = (prefix: 'c' | 'm', index: number): string => `${prefix}${index + 1}`;

export const aliasesOf = (context: readonly WindowMessage[], messages: readonly WindowMessage[]): Aliases => {
  const events = new Map([
    ...context.map(({ eventId }, index) => [alias('c', index), eventId] as const),
    ...messages.map(({ eventId }, index) => [alias('m', index), eventId] as const),
  ]);
  return { eventId: (name) => events.get(name) ?? `alias:${name.slice(0, MAX_ALIAS_LENGTH)}` };
};

/**
 * Writes the window as one JSON object per line: the quoting keeps a message from ending its own line and posing as
 * another.
 */
export const renderConversation = (
  context: readonly WindowMessage[],
  messages: readonly WindowMessage[],
  summary: string | null,
): string => {
  const line =
    (prefix: 'c' | 'm') =>
    ({ role, speaker, at, content }: WindowMessage, index: number): string =>
      modelJson({ id: alias(prefix, index), role, speaker, at, text: content });
  return [
    ...(summary === null ? [] : [`Summary so far: ${modelJson(summary)}`, '']),
    ...(context.length === 0 ? [] : ['Context, read before:', ...context.map(line('c')), '']),
    'Conversation:',
    ...messages.map(line('m')),
  ].join('\n');
};
