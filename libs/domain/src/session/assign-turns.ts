import { isAssistantRole, isUserRole } from './roles.js';
import type { MessageAppended } from './session-events.js';

/**
 * Assigns turn ids and timestamps to messages without them, as Agora's engine would. A user's message begins a turn; the
 * answer belongs to the same turn; a second message of the agent in a row begins another one. Given values stay. A turn
 * that begins here has a higher id than all others.
 *
 * @param earlier the newest earlier messages of the conversation, oldest first; the last one with a turn id counts
 * @param options.nowMs timestamp of messages without one, in milliseconds since 1970
 * @param options.highest highest turn id in the session. Default: that of the earlier messages; 0 if they have none
 */
export const assignTurns = (
  messages: readonly MessageAppended[],
  earlier: readonly MessageAppended[],
  { nowMs, highest: inSession = 0 }: { readonly nowMs: number; readonly highest?: number },
): MessageAppended[] => {
  let highest = Math.max(inSession, ...earlier.map(({ turnId }) => turnId ?? 0));
  let turn = earlier.findLast(({ turnId }) => turnId !== undefined)?.turnId;
  let previous = earlier.at(-1);
  return messages.map((message) => {
    const next = turn === undefined || beginsTurn(message, previous) ? highest + 1 : turn;
    turn = message.turnId ?? next;
    highest = Math.max(highest, turn);
    previous = message;
    return { ...message, turnId: turn, timestamp: message.timestamp ?? nowMs };
  });
};

const beginsTurn = ({ role }: MessageAppended, previous: MessageAppended | undefined): boolean => {
  if (previous === undefined || isUserRole(role)) return true;
  return isAssistantRole(role) && isAssistantRole(previous.role) && previous.toolCalls === undefined;
};
