import { isAssistantRole, isUserRole } from './roles.js';
import type { MessageAppended } from './session-events.js';

/**
 * Assigns turn ids and timestamps to messages without them, as Agora's engine would. A user's message begins a turn; the
 * answer belongs to the same turn; a second message of the agent in a row begins another one. Given values stay.
 *
 * @param earlier the newest earlier messages of the conversation, oldest first; the last one with a turn id counts
 * @param nowMs timestamp of messages without one, in milliseconds since 1970
 */
export const assignTurns = (
  messages: readonly MessageAppended[],
  earlier: readonly MessageAppended[],
  nowMs: number,
): MessageAppended[] => {
  let turn = earlier.findLast(({ turnId }) => turnId !== undefined)?.turnId ?? 0;
  let previous = earlier.at(-1);
  return messages.map((message) => {
    turn = message.turnId ?? (beginsTurn(message, previous) ? turn + 1 : turn);
    previous = message;
    return { ...message, turnId: turn, timestamp: message.timestamp ?? nowMs };
  });
};

const beginsTurn = ({ role }: MessageAppended, previous: MessageAppended | undefined): boolean => {
  if (previous === undefined || isUserRole(role)) return true;
  return isAssistantRole(role) && isAssistantRole(previous.role) && previous.toolCalls === undefined;
};
