import type { MessageEvent } from '../session/fold-messages.js';
import { unitsOf } from './tool-groups.js';

export interface Window {
  /** Oldest first. */
  readonly messages: readonly MessageEvent[];
  /** The window is not full: with older messages it would be longer. */
  readonly hasRoom: boolean;
}

/**
 * The newest messages for a model: at most `size`, without splitting a tool-call group. A group that does not fit is
 * left out together with everything before it. The newest unit is kept whatever its length, because a model that
 * continues after tool results must see them.
 *
 * @param messages the end of a history, oldest first
 * @param size 0 returns an empty window
 */
export const newestWindow = (messages: readonly MessageEvent[], size: number): Window => {
  if (size <= 0) return { messages: [], hasRoom: false };
  const units = unitsOf(messages);
  let first = units.length;
  let room = size;
  while (first > 0) {
    const length = units[first - 1]?.length ?? 0;
    if (length > room && first < units.length) return { messages: units.slice(first).flat(), hasRoom: false };
    room -= length;
    first -= 1;
    if (room <= 0) break;
  }
  return { messages: units.slice(first).flat(), hasRoom: room > 0 };
};
