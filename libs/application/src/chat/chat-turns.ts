import { isAssistantRole, isToolRole, isUserRole, type MessageAppended } from '@turnkeeper/domain';
import type { ChatMessage } from './chat-message.js';

/** The model's answer to a request, as far as it was sent to the client. */
export interface ChatAnswer {
  readonly content: string;
  readonly toolCalls: NonNullable<MessageAppended['toolCalls']>;
  /** Whether the client left before the end. */
  readonly isCut: boolean;
}

const isInstruction = ({ role }: ChatMessage): boolean => role === 'system' || role === 'developer';

/** The text of a message: its text parts, one per line. Media are not stored. */
export const textOf = ({ content }: Pick<ChatMessage, 'content'>): string =>
  typeof content === 'string'
    ? content
    : (content ?? []).flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : [])).join('\n');

/** What the user said last; empty if nothing. */
export const lastWords = (messages: readonly ChatMessage[]): string =>
  textOf(messages.findLast((message) => isUserRole(message.role) && textOf(message).trim() !== '') ?? {});

/** The first words of the user: the same for every request of one conversation. */
export const firstWords = (messages: readonly ChatMessage[]): string =>
  textOf(messages.find((message) => isUserRole(message.role) && textOf(message).trim() !== '') ?? {});

/** What the model said last as the client shows it: what was heard, if the client cuts it; null without an answer. */
export const lastAnswer = (messages: readonly ChatMessage[]): string | null => {
  const last = messages.findLast((message) => isAssistantRole(message.role));
  return last === undefined ? null : textOf(last);
};

/**
 * Identifies the end of a conversation by what was said up to it. Without the instructions, in which clients write the
 * time of day.
 */
export const conversationKey = (messages: readonly ChatMessage[]): string =>
  JSON.stringify(
    messages.filter((message) => !isInstruction(message)).map((message) => [message.role, textOf(message)]),
  );

/** A message that is not stored yet. */
export interface NewTurn {
  readonly message: MessageAppended;
  /** Identifies it: what was said before it, and its own words if they are the user's. */
  readonly key: readonly string[];
}

/**
 * The messages of a request that are not stored yet. A client sends the whole conversation with every request: only the
 * user's words and results of tools since the model's last answer are new, unless nothing of the session is stored.
 *
 * @param isNew nothing of the session is stored: it began with a greeting, or elsewhere
 */
export const newTurns = (
  messages: readonly ChatMessage[],
  { isNew, turnId }: { readonly isNew: boolean; readonly turnId?: number | undefined },
): NewTurn[] => {
  const last = messages.findLastIndex(({ role }) => isAssistantRole(role));
  return messages.flatMap((message, at) => {
    if (at <= last && !isNew) return [];
    const turn = turnOf(message, at > last ? turnId : undefined);
    if (turn === null) return [];
    const key = isAssistantRole(message.role)
      ? answerKey(messages.slice(0, at))
      : [conversationKey(messages.slice(0, at + 1))];
    return [{ message: turn, key }];
  });
};

/** A message as it is stored; null for instructions, and without words or calls. */
const turnOf = (message: ChatMessage, turnId: number | undefined): MessageAppended | null => {
  const { role, tool_calls, tool_call_id } = message;
  const content = textOf(message);
  if (isAssistantRole(role))
    return answerTurn({ content, toolCalls: (tool_calls ?? []) as ChatAnswer['toolCalls'], isCut: false }, turnId);
  const isTool = isToolRole(role);
  if (content.trim() === '' || !(isTool || isUserRole(role))) return null;
  return {
    payloadType: 'CONVERSATIONAL',
    role,
    content,
    ...(turnId === undefined ? {} : { turnId }),
    ...(isTool && tool_call_id !== undefined ? { toolCallId: tool_call_id } : {}),
  };
};

/** Identifies the answer to a conversation, together with its own words. */
export const answerKey = (messages: readonly ChatMessage[]): readonly string[] => [conversationKey(messages), 'answer'];

/** The answer as a message; null if nothing of it was sent. */
export const answerTurn = (
  { content, toolCalls, isCut }: ChatAnswer,
  turnId: number | undefined,
): MessageAppended | null =>
  content === '' && toolCalls.length === 0
    ? null
    : {
        payloadType: 'CONVERSATIONAL',
        role: 'assistant',
        content,
        ...(turnId === undefined ? {} : { turnId }),
        ...(isCut ? { metadata: { interrupted: true } } : {}),
        ...(toolCalls.length === 0 ? {} : { toolCalls }),
      };

/**
 * The messages with the memory after the leading instructions, so that what a provider caches by prefix stays the same
 * as far as possible. Instructions keep their role, `system` or `developer`.
 */
export const withMemory = (messages: readonly ChatMessage[], memory: string): readonly ChatMessage[] => {
  if (memory === '') return messages;
  const at = messages.findIndex((message) => !isInstruction(message));
  const place = at < 0 ? messages.length : at;
  const role = messages[place - 1]?.role ?? 'system';
  return [...messages.slice(0, place), { role, content: memory }, ...messages.slice(place)];
};
